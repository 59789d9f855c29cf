/** What to do next where one limit is known and another one rejects what it would admit. */

import type { Step } from './experiment.ts';
import type { ProbeAction } from './pacing.ts';
import { nextPoll } from './poll.ts';
import type { Posterior } from '../estimate/posterior.ts';
import type { Stack } from '../estimate/stacked.ts';
import { innerWithin, knownOuter, twoLimits } from '../estimate/two-limits.ts';
import type { Transcript } from '../transcript.ts';

/** A client that keeps below the inner limit takes this much longer for each request. */
const SLOWER = 1.05;
/**
 * Requests until it is given up, of all and of those in a row that nothing rejected: so many, and for each that
 * the outer limit first admitted.
 */
const MORE_REQUESTS = 30;
const TIMES = 4;
const TIMES_IN_A_ROW = 2;
/** As long as that client gets through, what it may be is weighed after so large a part of all requests more. */
const WEIGHED_EACH = 0.02;

/**
 * Keeps below the inner limit until the outer one rejects, then asks when that one is open again; ends
 * when both are known. Beside what to do now it answers what goes on like it until something is rejected, this
 * first; nothing where there is no such thing.
 *
 * @param stack with the outer posterior weighed
 */
export function nextOfStack(
  stack: Stack,
  transcript: Transcript,
  nowMs: number,
  tripMs: number,
): readonly [ProbeAction, readonly Step[]] {
  if (twoLimits(stack, transcript) !== null) return [{ kind: 'stop', reason: 'stacked' }, []];
  const { outer, since } = stack;
  const seen = outer.transcript.events;
  const first = seen.findIndex(({ outcome }) => outcome === 'rejected');
  const { events } = transcript;
  const inARow = events.length - 1 - events.findLastIndex(({ outcome }) => outcome === 'rejected');
  const isEnough = (count: number, times: number): boolean =>
    count > MORE_REQUESTS + times * Math.max(0, first);
  if (
    outer.alternatives.length === 0 ||
    isEnough(since, TIMES) ||
    isEnough(Math.min(since, inARow), TIMES_IN_A_ROW)
  )
    return [{ kind: 'stop', reason: 'composite' }, []];
  const fromMs = Math.max(nowMs, roomMs(stack, transcript));
  if (seen.at(-1)?.outcome === 'rejected') return [nextPoll(outer, fromMs, tripMs), []];
  const within = openInner(stack, transcript);
  if (within !== null) return [nextOfInner(within, nowMs, tripMs), []];
  const { windowSeconds, limit } = stack.inner;
  const spacingMs = (SLOWER * 1000 * (windowSeconds?.hi ?? 0)) / limit.value;
  const lastMs = transcript.events.at(-1)?.sentMs ?? nowMs;
  const dueMs = Math.max(fromMs, lastMs + spacingMs);
  const alike = Array.from({ length: Math.floor(WEIGHED_EACH * events.length) }, (_, at) => ({
    atMs: dueMs + at * spacingMs,
    count: 1,
  }));
  return [{ kind: 'send', waitUntilMs: dueMs, concurrent: 1 }, alike];
}

/** What the inner limit can be, where the outer one is known and leaves several; else null. */
function openInner(stack: Stack, transcript: Transcript): Posterior | null {
  const outer = knownOuter(stack);
  const within = outer === null ? null : innerWithin(stack, outer, transcript);
  return within !== null && within.alternatives.length > 0 ? within : null;
}

/** Uses the inner limit up, then asks when it is open again: that tells apart what it can be. */
function nextOfInner(within: Posterior, nowMs: number, tripMs: number): ProbeAction {
  const isUsedUp = within.transcript.events.at(-1)?.outcome === 'rejected';
  return isUsedUp
    ? nextPoll(within, nowMs, tripMs)
    : { kind: 'send', waitUntilMs: nowMs, concurrent: 1 };
}

/**
 * When the inner limit surely has room, whatever it counts: what it may have rejected tells nothing of the
 * outer one, and what the outer one rejected may be counted by it.
 */
function roomMs({ inner: { limit, windowSeconds } }: Stack, { events }: Transcript): number {
  const sentMs = events.at(-limit.value)?.sentMs ?? -Infinity;
  return sentMs + SLOWER * 1000 * (windowSeconds?.hi ?? 0);
}
