import type { InProcessTarget } from './in-process-target.ts';

const MIN_TRIP_MS = 2;
/** Beyond the least; few round trips take nearly all of it. */
const MAX_JITTER_MS = 18;

/**
 * Round trips of 2 to 20 ms; the service decides somewhere in the middle of each.
 *
 * @param random uniform numbers from 0 to 1
 */
export function jitteryTrips(random: () => number): InProcessTarget['trip'] {
  return () => ({
    ms: MIN_TRIP_MS + MAX_JITTER_MS * random() ** 3,
    before: 0.2 + 0.6 * random(),
  });
}

const FIRST_START_MS = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;

/** A moment of an hour at which a probe begins, epoch ms: windows of the clock are under way by then. */
export function anyMoment(random: () => number): number {
  return FIRST_START_MS + Math.floor(HOUR_MS * random());
}
