import type { ClassEstimate } from '../limits/estimate.ts';
import type { ProbeResult } from '../limits/run-probe.ts';

/**
 * Seconds of silence after which the bucket is surely full again, over all classes that are left.
 * Where none is, twice the longest recovery that was seen; undefined when nothing recovered.
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
    case 'penalty':
      return windowSeconds + upper(one.penaltySeconds);
    default:
      return windowSeconds;
  }
}

/** The upper bound; of one that is open, twice the best value. */
function upper(parameter: { readonly value: number; readonly hi: number } | undefined): number {
  if (parameter === undefined) return 0;
  return Number.isFinite(parameter.hi) ? parameter.hi : 2 * parameter.value;
}
