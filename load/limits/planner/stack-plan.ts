/** What to do next where one limit is known and another one rejects what it would admit. */

import type { ProbeAction } from './pacing.ts';
import { nextPoll } from './poll.ts';
import type { Stack } from '../estimate/stacked.ts';
import { twoLimits } from '../estimate/two-limits.ts';
import type { Transcript } from '../transcript.ts';

/** A client that keeps below the inner limit takes this much longer for each request. */
const SLOWER = 1.05;
/** Requests until it is given up: so many, and for each that the outer limit first admitted. */
const MORE_REQUESTS = 30;
const TIMES = 2;

/**
 * Keeps below the inner limit until the outer one rejects, then asks when that one is open again; ends
 * when both are known.
 *
 * @param stack with the outer posterior weighed
 */
export function nextOfStack(
  stack: Stack,
  transcript: Transcript,
  nowMs: number,
  tripMs: number,
): ProbeAction {
  if (twoLimits(stack, transcript) !== null) return { kind: 'stop', reason: 'stacked' };
  const { outer, since } = stack;
  const seen = outer.transcript.events;
  const first = seen.findIndex(({ outcome }) => outcome === 'rejected');
  if (outer.alternatives.length === 0 || since > MORE_REQUESTS + TIMES * Math.max(0, first))
    return { kind: 'stop', reason: 'composite' };
  if (seen.at(-1)?.outcome === 'rejected') return nextPoll(outer, nowMs, tripMs);
  const { windowSeconds, limit } = stack.inner;
  const spacingMs = (SLOWER * 1000 * (windowSeconds?.hi ?? 0)) / limit.value;
  const lastMs = transcript.events.at(-1)?.sentMs ?? nowMs;
  return { kind: 'send', waitUntilMs: Math.max(nowMs, lastMs + spacingMs), concurrent: 1 };
}
