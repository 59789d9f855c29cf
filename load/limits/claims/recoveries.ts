/** When a bucket admitted again after each rejection, as far as the transcript alone tells. */

import type { ProbeEvent } from '../transcript.ts';

/**
 * The moment from which on a client that is silent after a rejection is admitted, on the probe's
 * clock: not before the first, not after the second. A bound that is not known is absent.
 */
export interface Recovery {
  readonly notBeforeMs?: number;
  readonly notAfterMs?: number;
}

/**
 * Recoveries by the index of their rejection. A later admission bounds all rejections before it, since
 * no limiter recovers earlier for being asked more often. A later rejection proves only that silence
 * up to it was too short, unless asking is known to put nothing off; and not even that where another
 * request was admitted while one of the two was under way. Whatever may have met the bucket
 * must be among the events, from other routes as well.
 *
 * @param askingDelays whether a request that is refused may put the recovery off; true when in doubt
 */
export function recoveriesOf(
  events: readonly ProbeEvent[],
  askingDelays: boolean,
): ReadonlyMap<number, Recovery> {
  const recoveries = new Map<number, Recovery>();
  for (const [index, event] of events.entries()) {
    if (event.outcome !== 'rejected') continue;
    const later = events.slice(index + 1).filter(({ sentMs }) => sentMs >= event.receivedMs);
    const admittedAt = later.findIndex(({ outcome }) => outcome === 'admitted');
    const admitted = later[admittedAt];
    const before = (admittedAt === -1 ? later : later.slice(0, admittedAt)).filter(
      ({ outcome }) => outcome === 'rejected',
    );
    // Another one that was under way may have been given what this one was told to wait for.
    const alone = before.filter((one) => !isBesideAdmission(one, events));
    const refused = isBesideAdmission(event, events)
      ? undefined
      : askingDelays
        ? alone[0]
        : alone.at(-1);
    recoveries.set(index, {
      ...(refused === undefined ? {} : { notBeforeMs: refused.sentMs }),
      ...(admitted === undefined ? {} : { notAfterMs: admitted.receivedMs }),
    });
  }
  return recoveries;
}

/** Times of sending are early by this much, so that one after another seem to overlap, ms. */
const GRAIN_MS = 1;

function isBesideAdmission(event: ProbeEvent, events: readonly ProbeEvent[]): boolean {
  return events.some(
    ({ outcome, sentMs, receivedMs }) =>
      outcome === 'admitted' &&
      sentMs + GRAIN_MS < event.receivedMs &&
      receivedMs > event.sentMs + GRAIN_MS,
  );
}
