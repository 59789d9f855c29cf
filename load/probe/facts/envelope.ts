/** What was let in at most, whatever limits it: for reports where no class of limiter is known. */

import type { EnvelopeRow } from '../../../contracts/run/load/limit-measurement.ts';
import { mostAdmittedWithin, type ProbeEvent } from '../../limits/index.ts';

/** The times that are looked at, s. */
const SECONDS = [1, 2, 5, 10, 30, 60] as const;

/**
 * The most requests that were admitted within any so many seconds, by when their answers came; the
 * times that the transcript lasts for at least.
 */
export function envelopeOf(events: readonly ProbeEvent[]): EnvelopeRow[] {
  const firstMs = Math.min(...events.map(({ sentMs }) => sentMs));
  const lastMs = Math.max(...events.map(({ receivedMs }) => receivedMs));
  return SECONDS.filter((seconds) => lastMs - firstMs >= 1000 * seconds).map((seconds) => ({
    seconds,
    requests: mostAdmittedWithin(events, 1000 * seconds),
  }));
}
