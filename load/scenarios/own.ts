import { given } from '../../contracts/wire/json.ts';
import type { WrittenScenario } from '../../target/config/config-load.ts';
import { askedFor, MAX_OF_SCENARIO } from './bounds.ts';
import { USUAL_DAY } from './builtin.ts';
import { type LoadStep, type Scenario, ScenarioError } from './scenario.ts';

/** What somebody's own scenario is made from. */
export interface OwnScenarioInput {
  readonly name: string;
  readonly written: WrittenScenario;
  /** The scenario that it is like; absent if it is like none. */
  readonly like?: Scenario;
  /** What is asked for if neither says. */
  readonly usualMix: Scenario['mix'];
}

/**
 * The scenario that somebody wrote: what it does not say is as in the one that it is like. Its ceilings
 * are those that it names, else what its own steps ask for.
 *
 * @throws ScenarioError when there are no steps
 */
export function ownScenario({ name, written, like, usualMix }: OwnScenarioInput): Scenario {
  const steps = written.steps?.map(({ name: step, seconds, from, to }, at): LoadStep => ({
    name: step ?? `step ${at + 1}`,
    seconds,
    fromPerSecond: from,
    toPerSecond: to,
  }));
  const taken = steps ?? like?.steps;
  if (taken === undefined) {
    throw new ScenarioError(
      `the scenario ${name} has no steps: give some, or the name of a scenario that it is like`,
    );
  }
  const asked = askedFor(taken);
  const own = steps === undefined ? like?.ceilings : undefined;
  // Of other steps it is not known which of them are those of a usual day.
  const keeps = steps === undefined && like !== undefined ? like.keeps : USUAL_DAY;
  const isExpected = written.throttled === 'expected' || like?.expectsThrottling === true;
  return {
    name,
    purpose: written.purpose ?? like?.purpose ?? `What becomes of ${name}?`,
    steps: taken,
    mix: written.mix ?? like?.mix ?? usualMix,
    clients: written.clients ?? like?.clients ?? { kind: 'one', count: 1 },
    onThrottle: written.onThrottle ?? like?.onThrottle ?? 'go-on',
    endsWhenBroken: written.endsWhenBroken ?? like?.endsWhenBroken ?? false,
    ...given({
      abortSeconds: written.abortSeconds ?? like?.abortSeconds,
      warmUpSeconds: written.warmUpSeconds ?? like?.warmUpSeconds,
      keeps,
    }),
    ...(isExpected ? { expectsThrottling: true } : {}),
    ceilings: {
      requests: written.maxRequests ?? own?.requests ?? atMost(asked.requests, 'requests'),
      seconds: written.maxSeconds ?? own?.seconds ?? atMost(asked.seconds, 'seconds'),
    },
  };
}

/** Flags may double what somebody wrote, and go no further. */
const ROOM = 2;

function atMost(asked: number, what: 'requests' | 'seconds'): number {
  return Math.max(asked, Math.min(MAX_OF_SCENARIO[what], ROOM * asked));
}
