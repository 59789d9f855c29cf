import type { LimiterTruth } from '../../../fixtures/known-limiters/truth.ts';

/** What comes at steps shorter than this many round trips, or ms, comes continuously as far as anybody sees. */
const FINE_TRIPS = 2;
const FINE_MS = 20;

/**
 * The truth, and the other limiters that nobody could tell from it.
 *
 * @param tripMs what a round trip takes on average
 */
export function sameAs(truth: LimiterTruth, tripMs: number): readonly LimiterTruth[] {
  const isFine = (seconds: number): boolean =>
    1000 * seconds <= Math.max(FINE_MS, FINE_TRIPS * tripMs);
  switch (truth.class) {
    case 'shaping-with-reject':
      return [truth, ...(isFine(heldSeconds(truth)) ? as(truth, 'token-bucket') : [])];
    case 'interval-refill': {
      const { limit, refill = 1, intervalSeconds = 0, seconds = 0 } = truth;
      // One token at a time differs only in the phase that it keeps while the bucket is full.
      if (refill !== 1 && !isFine(intervalSeconds)) return [truth];
      const perSecond = refill / intervalSeconds;
      return [truth, { class: 'token-bucket', limit, perSecond, seconds }];
    }
    default:
      return truth.limit === 1 ? sameAtOne(truth) : [truth];
  }
}

/** How long a request is held back at most, s. */
function heldSeconds({ limit, atOnce = limit, perSecond = Infinity }: LimiterTruth): number {
  return (limit - atOnce) / perSecond;
}

/** With one request at a time much is the same. */
function sameAtOne(truth: LimiterTruth): readonly LimiterTruth[] {
  const { limit, seconds = 0 } = truth;
  switch (truth.class) {
    case 'fixed-window':
    case 'sliding-log':
    case 'token-bucket':
      return [
        { class: 'fixed-window', limit, seconds },
        { class: 'sliding-log', limit, seconds },
        { class: 'token-bucket', limit, seconds, perSecond: 1 / seconds },
      ];
    case 'restart-on-reject':
    case 'sliding-log-counting-rejects':
      return as(truth, 'restart-on-reject', 'sliding-log-counting-rejects');
    case 'clock-window':
    case 'sliding-counter':
      return as(truth, 'clock-window', 'sliding-counter');
    default:
      return [truth];
  }
}

function as(
  truth: LimiterTruth,
  ...names: readonly LimiterTruth['class'][]
): readonly LimiterTruth[] {
  return names.map((name) => ({ ...truth, class: name }));
}
