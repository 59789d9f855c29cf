import type { Limit } from '../../../../fixtures/service/reference/limits.ts';
import type { LimiterTruth } from '../../../../fixtures/known-limiters/truth.ts';

/** What the limiter is that keeps a limit of the reference service. */
export function truthOf(limit: Limit): LimiterTruth {
  switch (limit.algorithm) {
    case 'token-bucket':
    case 'gcra': {
      const { burst, refillPerSecond: perSecond } = limit;
      // One limiter, computed in two ways.
      return { class: 'token-bucket', limit: burst, seconds: burst / perSecond, perSecond };
    }
    case 'interval-refill': {
      const { algorithm, burst, refill, intervalSeconds } = limit;
      const seconds = (intervalSeconds * burst) / refill;
      return { class: algorithm, limit: burst, refill, intervalSeconds, seconds };
    }
    case 'penalty-block': {
      const { algorithm, requests, blockSeconds: seconds, windowSeconds: countedSeconds } = limit;
      return { class: algorithm, limit: requests, seconds, countedSeconds };
    }
    case 'concurrency':
      return { class: limit.algorithm, limit: limit.requests };
    case 'shaper': {
      const { burst, queue, ratePerSecond: perSecond } = limit;
      return { class: 'shaping-with-reject', limit: burst + queue, atOnce: burst, perSecond };
    }
    default: {
      const { algorithm = 'fixed-window', requests, windowSeconds: seconds } = limit;
      return { class: algorithm, limit: requests, seconds };
    }
  }
}
