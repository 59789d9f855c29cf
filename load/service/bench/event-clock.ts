import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../../fixtures/target/budget/clock.ts';

interface Sleeper {
  readonly atMs: number;
  readonly wake: () => void;
}

/**
 * A clock on which waiting takes no time, for several that wait at once: time jumps to the earliest
 * moment that is waited for, once nothing else is left to do.
 *
 * @param startMs epoch ms at which it begins
 */
export function createEventClock(startMs: number): Clock {
  let nowMs = startMs;
  let sleepers: readonly Sleeper[] = [];
  let running = false;

  async function run(): Promise<void> {
    if (running) return;
    running = true;
    while (sleepers.length > 0) {
      // Whatever goes on by itself goes on first.
      await turn();
      await turn();
      const atMs = Math.min(...sleepers.map((one) => one.atMs));
      const due = sleepers.filter((one) => one.atMs === atMs);
      sleepers = sleepers.filter((one) => one.atMs !== atMs);
      nowMs = Math.max(nowMs, atMs);
      for (const { wake } of due) wake();
    }
    running = false;
  }

  return {
    nowMs: () => nowMs,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        signal?.throwIfAborted();
        const sleeper: Sleeper = {
          atMs: nowMs + Math.max(0, ms),
          wake: () => {
            signal?.removeEventListener('abort', onAbort);
            resolve();
          },
        };
        const onAbort = (): void => {
          sleepers = sleepers.filter((one) => one !== sleeper);
          reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'));
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        sleepers = [...sleepers, sleeper];
        void run();
      }),
  };
}
