/** What to do next where one limit is known and another one rejects what it would admit. */

import { weighed } from './belief.ts';
import type { ProbeAction } from './pacing.ts';
import { nextPoll } from './poll.ts';
import { twoLimits, type Stack } from './stacked.ts';
import type { ProbeEvent } from './transcript.ts';

/** A client that keeps below the inner limit takes this much longer for each request. */
const SLOWER = 1.05;
/** Requests beyond what the outer limit was seen to admit, and for each of those, until it is given up. */
const MORE_REQUESTS = 30;
const TIMES = 3;

/**
 * Keeps below the inner limit until the outer one rejects, then asks when that one is open again; ends
 * when both are known.
 */
export function nextOfStack(
  stack: Stack,
  events: readonly ProbeEvent[],
  nowMs: number,
  tripMs: number,
): ProbeAction {
  if (twoLimits(stack) !== null) return { kind: 'stop', reason: 'stacked' };
  const outer = weighed(stack.outer);
  const seen = outer.transcript.events;
  const admitted = seen.filter(({ outcome }) => outcome === 'admitted').length;
  if (outer.believed.length === 0 || stack.since > MORE_REQUESTS + TIMES * admitted)
    return { kind: 'stop', reason: 'composite' };
  if (seen.at(-1)?.outcome === 'rejected') return nextPoll(outer, nowMs, tripMs);
  const { windowSeconds, limit } = stack.inner;
  const spacingMs = (SLOWER * 1000 * (windowSeconds?.hi ?? 0)) / limit.value;
  const lastMs = events.at(-1)?.sentMs ?? nowMs;
  return { kind: 'send', waitUntilMs: Math.max(nowMs, lastMs + spacingMs), concurrent: 1 };
}
