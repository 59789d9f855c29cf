import type { Clock } from '../budget/clock.ts';

/** The part of a run's time that nodes may take: a bound of all waits and calls together. */
export interface TimeShare {
  /** What is left, in ms; never negative. */
  leftMs(): number;
  /** Counts the time of some work. What several take at once counts once. */
  within<T>(work: () => Promise<T>): Promise<T>;
}

/** @param mostMs all of it */
export function createTimeShare(clock: Pick<Clock, 'nowMs'>, mostMs: number): TimeShare {
  let [underWay, sinceMs, spentMs] = [0, 0, 0];
  const nowSpentMs = (): number => spentMs + (underWay > 0 ? clock.nowMs() - sinceMs : 0);
  return {
    leftMs: () => Math.max(0, mostMs - nowSpentMs()),
    async within(work) {
      if (underWay === 0) sinceMs = clock.nowMs();
      underWay += 1;
      try {
        return await work();
      } finally {
        spentMs = nowSpentMs();
        sinceMs = clock.nowMs();
        underWay -= 1;
      }
    },
  };
}
