/** As far as which an identified limit was tried: a wider one above that was not reached. */

import type { EnvelopeRow } from '../../../contracts/run/load/limit-measurement.ts';
import type { ProbeEvent } from '../../limits/index.ts';

/** The times that are looked at beside the whole, s. */
const SECONDS: readonly number[] = [1, 2, 5, 10, 30, 60, 300, 900, 3600];

/**
 * How many requests were admitted within so many seconds, at most and surely: from the sending of the
 * first to the answer of the last. Times below the window tell nothing of a wider limit and are left
 * out; so is what no more were admitted in than in a shorter one. The last row is of all the time.
 *
 * @param events of one bucket, in any order
 * @param windowSeconds of the limit that was identified; 0 where it has none
 */
export function triedExtent(events: readonly ProbeEvent[], windowSeconds: number): EnvelopeRow[] {
  const admitted = events.filter(({ outcome }) => outcome === 'admitted');
  if (admitted.length === 0) return [];
  const sentMs = admitted.map((event) => event.sentMs).sort((a, b) => a - b);
  const receivedMs = admitted.map((event) => event.receivedMs).sort((a, b) => a - b);
  const wholeMs = (receivedMs.at(-1) ?? 0) - (sentMs[0] ?? 0);
  const rows = SECONDS.filter((seconds) => seconds >= windowSeconds && 1000 * seconds < wholeMs)
    .map((seconds) => ({ seconds, requests: mostWithin(sentMs, receivedMs, 1000 * seconds) }))
    .concat({ seconds: roundedUp(wholeMs / 1000), requests: admitted.length });
  return rows.filter(({ requests }, at) => requests > (rows[at - 1]?.requests ?? 0));
}

/** The most that were both sent and answered within a time, except for those that took longer than it. */
function mostWithin(
  sentMs: readonly number[],
  receivedMs: readonly number[],
  withinMs: number,
): number {
  let [answered, most] = [0, 0];
  for (const [before, fromMs] of sentMs.entries()) {
    while ((receivedMs[answered] ?? Infinity) <= fromMs + withinMs) answered += 1;
    most = Math.max(most, answered - before);
  }
  return most;
}

/** Three digits, never less than the value. */
function roundedUp(value: number): number {
  if (!(value > 0)) return 0;
  const unit = 10 ** (Math.floor(Math.log10(value)) - 2);
  return Number((Math.ceil(value / unit - 1e-9) * unit).toPrecision(3));
}
