import type { Scenario } from '../../load/scenarios/scenario.ts';
import type { Schedule } from '../../load/scenarios/schedule.ts';
import { UsageError } from '../exit-code.ts';

/** Of one half of a round: late requests, and what is waited for at its end. */
const FOR_ENDING_SECONDS = 8;

/**
 * Refuses rounds of a scenario that makes none, or that they would take beyond its ceilings.
 *
 * @throws UsageError
 */
export function requireRoundsPossible(
  rounds: number | undefined,
  { name, endsWhenBroken, abortSeconds, onThrottle, ceilings }: Scenario,
  { slots, seconds }: Pick<Schedule, 'slots' | 'seconds'>,
): void {
  if (rounds === undefined) return;
  if (endsWhenBroken || abortSeconds !== undefined) {
    throw new UsageError(
      `the scenario ${name} may end before its time, so that its rounds would not be alike: leave --rounds out`,
    );
  }
  if (onThrottle === 'come-back') {
    throw new UsageError(
      `in the scenario ${name} clients come back when they were asked to, which no control shows: leave --rounds out`,
    );
  }
  const [requests, whole] = [rounds * slots, rounds * seconds];
  if (requests > ceilings.requests || whole > ceilings.seconds * (1 + 1e-9)) {
    throw new UsageError(
      `${rounds} rounds of the scenario ${name} ask for ${requests} requests in ${Math.round(whole)} s, and its ceilings are ${ceilings.requests} requests and ${ceilings.seconds} s. Lower --rounds, the rate or the seconds; a scenario of your own may have more by maxRequests and maxSeconds.`,
    );
  }
}

/** The longest that all of a run's sending may take, in seconds; of rounds, both halves of each. */
export function sendingSeconds(
  rounds: number | undefined,
  seconds: number,
  timeoutMs: number,
): number {
  if (rounds === undefined) return seconds;
  return 2 * rounds * (seconds + timeoutMs / 1000 + FOR_ENDING_SECONDS);
}
