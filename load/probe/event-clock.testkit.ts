import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../fixtures/target/clock.ts';

/**
 * A clock on which waiting takes no time, for several that wait at once: time jumps to the earliest
 * moment that is waited for, once nothing else is left to do.
 */
export function createEventClock(startMs: number): Clock {
  let nowMs = startMs;
  let waiting: { readonly atMs: number; readonly wake: () => void }[] = [];
  let running = false;

  async function run(): Promise<void> {
    if (running) return;
    running = true;
    while (waiting.length > 0) {
      // Whatever goes on by itself goes on first.
      await turn();
      await turn();
      const atMs = Math.min(...waiting.map((one) => one.atMs));
      const due = waiting.filter((one) => one.atMs === atMs);
      waiting = waiting.filter((one) => one.atMs !== atMs);
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
        waiting.push({ atMs: nowMs + Math.max(0, ms), wake: resolve });
        signal?.addEventListener('abort', () => {
          reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
        });
        void run();
      }),
  };
}
