/**
 * What a service says is left, compared with what was seen. Where its word came true all the way to the
 * first rejection it is evidence, though weaker than what was measured: it tells without another burst
 * how much came back.
 */

import type { ProbeEvent } from '../transcript.ts';

/** Fewer admissions with a number say too little of the service. */
const MIN_REPORTS = 3;
/** The first number may fall short of what was admitted by this part: tokens come back meanwhile. */
const MIN_PART = 0.75;
/** By this part of what was sent the numbers must have fallen before the first rejection. */
const MIN_FALL = 0.5;

/** Whether the numbers of what is left came true: down to nothing when the first one was rejected. */
export function reportsHold(events: readonly ProbeEvent[]): boolean {
  const first = events.findIndex(({ outcome }) => outcome === 'rejected');
  if (first === -1) return false;
  const before = events.slice(0, first);
  const left = before.flatMap(({ report }) => report?.remaining ?? []);
  if (left.length < Math.max(MIN_REPORTS, before.length)) return false;
  const none = events.every(
    ({ outcome, report }) => outcome !== 'rejected' || (report?.remaining ?? 0) === 0,
  );
  const most = Math.max(...left);
  return (
    none && Math.min(...left) <= 1 && most < left.length && most >= MIN_PART * (left.length - 1)
  );
}

/**
 * How many more a service says it admits, where its numbers fell with what was sent, or by less, since
 * tokens come back; null where it tells none, or where they did not fall so.
 */
export function reportedLeft(events: readonly ProbeEvent[]): number | null {
  const left = events.flatMap(({ report }) => report?.remaining ?? []);
  const [first, last] = [left[0], left.at(-1)];
  if (first === undefined || last === undefined || left.length < events.length) return null;
  const fell = first - Math.min(...left);
  return fell < events.length && fell >= MIN_FALL * (events.length - 1) ? Math.min(...left) : null;
}
