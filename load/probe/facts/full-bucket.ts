import {
  MAX_WINDOW_MS,
  type ClassEstimate,
  type Parameter,
  type ProbeResult,
} from '../../limits/index.ts';

/**
 * Seconds of silence after which the bucket is surely full again, over all classes that are left.
 * Infinity where one of them has no upper bound: it was not seen to recover, so nobody knows. Where no
 * class is left, twice the longest recovery that was seen; undefined when nothing recovered.
 */
export function secondsUntilFull({ estimate, transcript }: ProbeResult): number | undefined {
  if (estimate.classes.length > 0) return Math.max(...estimate.classes.map(untilFull));
  const { events } = transcript;
  const recoveries = events.flatMap((event, at) => {
    if (event.outcome !== 'rejected' || events[at - 1]?.outcome !== 'admitted') return [];
    const again = events.slice(at).find(({ outcome }) => outcome === 'admitted');
    return again === undefined ? [] : [(again.receivedMs - event.sentMs) / 1000];
  });
  return recoveries.length === 0 ? undefined : 2 * Math.max(...recoveries);
}

function untilFull(one: ClassEstimate): number {
  const windowSeconds = upper(one.windowSeconds);
  switch (one.class) {
    case 'concurrency':
      return 0;
    case 'sliding-counter':
      // The window before counts as well.
      return 2 * windowSeconds;
    case 'interval-refill':
      return windowSeconds + upper(one.intervalSeconds);
    case 'penalty': {
      // Over which time it counts is hardly ever reported. It counts anew after a block, and longer
      // times than
      // the block are rare.
      const blockSeconds = upper(one.penaltySeconds);
      const least = Math.max(blockSeconds, 2 * (one.windowSeconds?.lo ?? 0));
      return blockSeconds + Math.min(windowSeconds, least);
    }
    default:
      return windowSeconds;
  }
}

/**
 * The upper bound; Infinity where there is none. What nothing was seen to end may last as long as the
 * longest window that the models know, seven days for each token of a bucket: no time to wait for.
 */
function upper(parameter: Parameter | undefined): number {
  if (parameter === undefined) return 0;
  return 1000 * parameter.hi < MAX_WINDOW_MS * ALMOST ? parameter.hi : Infinity;
}

/** A bound that is nearly the longest window comes from it, by way of sums and roots. */
const ALMOST = 0.9;
