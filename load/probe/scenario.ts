/** A client that paces itself by what was measured, backs off, and obeys retryAfter. */

import { type LimitScenario, PACE_SHARE } from '../../contracts/run/run-limits.ts';
import type { Reported } from './sender.ts';
import { rounded } from './facts/facts.ts';
import { type ProbedBucket, type Probing } from './probing.ts';

/** What must get through. */
const WANTED_SHARE = 0.95;
const MIN_REQUESTS = 10;
/** A client that is rejected without a wait doubles its own, from this to that. */
const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 30_000;

/** How a scenario would run; null where no rate was measured. */
export interface PacingPlan {
  readonly requests: number;
  readonly spacingMs: number;
  readonly perSecond: number;
  readonly windowSeconds: number;
}

/** One window of requests, or ten, at the measured rate. */
export function pacingPlan(probed: ProbedBucket): PacingPlan | null {
  const { verdict, limit, windowSeconds, refillPerSecond } = probed.facts.estimate;
  if (verdict !== 'identified' || windowSeconds === undefined || limit === undefined) return null;
  const perSecond = refillPerSecond ?? limit / windowSeconds;
  return {
    requests: Math.max(MIN_REQUESTS, Math.min(limit, 200)),
    spacingMs: 1000 / (perSecond * PACE_SHARE),
    perSecond,
    windowSeconds,
  };
}

/**
 * Runs the client against the full bucket, and answers what became of it and its requests. Held up by a late timer it catches up, as clients do.
 *
 * @throws {BudgetExceeded} {@link WaitTooLong} {@link Interrupted} at the end of the budget or the run
 */
export async function runScenario(
  probed: ProbedBucket,
  plan: PacingPlan,
  { sender, clock, budgetLeft }: Pick<Probing, 'sender' | 'clock' | 'budgetLeft'>,
): Promise<{ readonly scenario: LimitScenario; readonly paced: readonly Reported[] }> {
  const { requests, spacingMs, perSecond, windowSeconds } = plan;
  const startedMs = clock.nowMs();
  const rejectedAtMs: number[] = [];
  const paced: Reported[] = [];
  let dueMs = startedMs;
  let backoffMs = FIRST_BACKOFF_MS;
  let admitted = 0;
  for (let sent = 0; admitted < requests && sent < 2 * requests; sent += 1) {
    await budgetLeft.sleep(dueMs - clock.nowMs(), 'the wait for its next turn');
    const reported = await sender(probed.bucket.plain);
    paced.push(reported);
    if (reported.outcome === 'admitted') {
      admitted += 1;
      backoffMs = FIRST_BACKOFF_MS;
      dueMs += spacingMs;
      continue;
    }
    rejectedAtMs.push(reported.sentMs);
    dueMs = clock.nowMs() + waitOf(reported, backoffMs, 2 * windowSeconds);
    backoffMs = Math.min(2 * backoffMs, MAX_BACKOFF_MS);
  }
  // The last request stands for the time until the next one, as each of them does.
  const seconds = Math.max(clock.nowMs() - startedMs, requests * spacingMs) / 1000;
  const share = admitted / seconds / perSecond;
  const perWindow = mostWithin(rejectedAtMs, windowSeconds * 1000);
  const scenario = {
    held: share >= WANTED_SHARE && perWindow <= 1,
    admitted,
    rejected: rejectedAtMs.length,
    seconds: rounded(seconds),
    shareOfRate: rounded(Math.min(1, share)),
    detail: `${admitted} admitted in ${rounded(seconds)} s, ${Math.round(100 * Math.min(1, share))} % of the measured ${rounded(perSecond)} a second; ${rejectedAtMs.length} rejected, at most ${perWindow} in a window`,
  };
  return { scenario, paced };
}

function waitOf({ retryAfterSeconds }: Reported, backoffMs: number, mostSeconds: number): number {
  if (retryAfterSeconds === undefined) return backoffMs;
  return Math.max(backoffMs / 10, 1000 * Math.min(retryAfterSeconds, mostSeconds));
}

/** The most of these moments within one window. */
function mostWithin(momentsMs: readonly number[], windowMs: number): number {
  return momentsMs.reduce(
    (most, fromMs) =>
      Math.max(most, momentsMs.filter((ms) => ms >= fromMs && ms < fromMs + windowMs).length),
    0,
  );
}
