/**
 * The one place that makes a simulated limiter from what it is to be. The clocks of these limiters are exact. They
 * share nothing with the models of the estimator, which is compared with them, nor with the reference service.
 */

import * as buckets from './buckets.ts';
import type { Limiter } from './limiter.ts';
import type { LimiterTruth } from './truth.ts';
import * as windows from './windows.ts';

/** What a truth leaves open: limiters of the same class and parameters differ in these. */
export interface Habits {
  /** Where on the caller's clock a stretch of the limiter's own clock begins, ms; 0 where absent. */
  readonly phaseMs?: number;
  /** Of a sliding counter: whether a whole place must be free; any part of one where absent. */
  readonly whole?: boolean;
  /** Of two limits: whether the outer one counts what the inner one rejects as well. */
  readonly countsAll?: boolean;
  /** Of two limits: where each differs from the habits of both. */
  readonly parts?: readonly [Habits, Habits];
}

/** Thrown when no limiter can be made of a truth: it is none, or a parameter of its class is absent. */
export class NoSuchLimiter extends Error {
  override readonly name = 'NoSuchLimiter';
}

/**
 * A new limiter with nothing counted.
 *
 * @throws {NoSuchLimiter}
 */
export function limiterOf(truth: LimiterTruth, habits: Habits = {}): Limiter {
  const { limit } = truth;
  const { phaseMs = 0, whole = false } = habits;
  const ms = (name: 'seconds' | 'countedSeconds' | 'intervalSeconds'): number =>
    parameter(truth, name) * 1000;
  switch (truth.class) {
    case 'fixed-window':
      return windows.ownWindow(limit, ms('seconds'), 'nothing');
    case 'restart-on-reject':
      return windows.ownWindow(limit, ms('seconds'), 'restart');
    case 'penalty-block':
      return windows.ownWindow(limit, ms('countedSeconds'), { blockMs: ms('seconds') });
    case 'clock-window':
      return windows.clockWindow(limit, ms('seconds'), phaseMs);
    case 'sliding-log':
      return windows.slidingLog(limit, ms('seconds'), false);
    case 'sliding-log-counting-rejects':
      return windows.slidingLog(limit, ms('seconds'), true);
    case 'sliding-counter':
      return windows.slidingCounter(limit, ms('seconds'), { whole, countsRejects: false, phaseMs });
    case 'sliding-counter-counting-rejects':
      // As of a table of counters: the first stretch begins with the first request.
      return windows.slidingCounter(limit, ms('seconds'), { whole: true, countsRejects: true });
    case 'token-bucket':
      return buckets.tokenBucket(limit, parameter(truth, 'perSecond'));
    case 'interval-refill':
      return buckets.intervalRefill(limit, parameter(truth, 'refill'), ms('intervalSeconds'));
    case 'shaping-with-reject': {
      const free = parameter(truth, 'atOnce') - 1;
      return buckets.leakyMeter(limit - 1, free, parameter(truth, 'perSecond'));
    }
    case 'concurrency':
      return buckets.places(limit);
    case 'stacked': {
      const [inner, outer] = truth.parts ?? missing(truth, 'parts');
      const [own, other] = habits.parts ?? [];
      return buckets.stacked(
        limiterOf(inner, { ...habits, ...own }),
        limiterOf(outer, { ...habits, ...other }),
        habits.countsAll === true,
      );
    }
    case 'none':
      throw new NoSuchLimiter('of a limiter that is no class nothing is known to make it by');
  }
}

function parameter(
  truth: LimiterTruth,
  name: 'seconds' | 'countedSeconds' | 'intervalSeconds' | 'perSecond' | 'refill' | 'atOnce',
): number {
  return truth[name] ?? missing(truth, name);
}

function missing(truth: LimiterTruth, name: keyof LimiterTruth): never {
  throw new NoSuchLimiter(`a limiter of the class ${truth.class} needs ${name}`);
}
