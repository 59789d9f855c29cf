/** The classes of limiters, each following a transcript over all of its parameters at once. */

import { anyOf } from './any-of.ts';
import { clockWindow } from './clock-window.ts';
import { concurrency } from './concurrency.ts';
import { eitherWay } from './either-way.ts';
import { fixedWindow, restartOnReject } from './fixed-window.ts';
import { intervalRefill } from './buckets/interval-refill.ts';
import type { Tracker } from './model.ts';
import { penalty } from './penalty.ts';
import { slidingCounter, slidingCounterCountingRejects } from './sliding-counter.ts';
import { slidingLog } from './sliding-log.ts';
import { tokenBucket } from './buckets/token-bucket.ts';
import { track } from './track.ts';
import { wholeSecondsWindow } from './whole-seconds.ts';
import { wholeTokens } from './buckets/whole-tokens.ts';

export type { Interval } from './interval.ts';
export type { Candidate, LimiterClass, Tracker } from './model.ts';

/**
 * Trackers that have seen nothing yet.
 *
 * @param times how often as many explanations are followed as usual, for as much more work
 */
export function allTrackers(times = 1): Tracker[] {
  return [
    anyOf('fixed-window', [track(fixedWindow, times), track(wholeSecondsWindow, times)]),
    track(clockWindow, times),
    eitherWay(slidingLog('sliding-log'), times),
    eitherWay(slidingLog('sliding-log-counting-rejects'), times),
    track(slidingCounter, times),
    track(slidingCounterCountingRejects, times),
    anyOf('token-bucket', [eitherWay(tokenBucket(), times), track(wholeTokens, times)]),
    track(intervalRefill, times),
    track(penalty, times),
    track(restartOnReject, times),
    concurrency(),
  ];
}
