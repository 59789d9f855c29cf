/** Classes of which there was too much to follow: what is known of them without following them. */

import type { ClassEstimate } from './class-estimate.ts';
import type { Posterior } from './posterior.ts';
import { MAX_WINDOW_MS, MIN_WINDOW_MS } from '../models/model.ts';
import type { LimiterClass } from '../models/index.ts';

const ANY_WINDOW = {
  value: Math.sqrt(MIN_WINDOW_MS * MAX_WINDOW_MS) / 1000,
  lo: MIN_WINDOW_MS / 1000,
  hi: MAX_WINDOW_MS / 1000,
};

/** Any of them may be the limiter, with any window, and a limit up to what was admitted in a row. */
export function lostClasses({ lost }: Posterior, admittedInARow: number): ClassEstimate[] {
  const limit = { value: admittedInARow, lo: 1, hi: admittedInARow };
  return [...lost].map((name) => ({
    class: name,
    probability: 1 / lost.size,
    limit,
    windowSeconds: ANY_WINDOW,
    ...timesOf(name),
    ...(name === 'interval-refill' ? { refill: limit } : {}),
  }));
}

/** The times that a class has besides a window. */
function timesOf(name: LimiterClass): Partial<ClassEstimate> {
  const rate = { value: 1 / ANY_WINDOW.value, lo: 1 / ANY_WINDOW.hi, hi: 1e6 };
  switch (name) {
    case 'token-bucket':
      return { refillPerSecond: rate };
    case 'interval-refill':
      return { intervalSeconds: ANY_WINDOW, refillPerSecond: rate };
    case 'penalty':
      return { penaltySeconds: ANY_WINDOW };
    default:
      return {};
  }
}
