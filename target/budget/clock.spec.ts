import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Worker } from 'node:worker_threads';
import { createSystemClock, systemNowMs } from './clock.ts';

const DAY_MS = 86_400_000;

describe('a sleep', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  async function endedAfter(ms: number, passingMs: number): Promise<boolean> {
    const state = { ended: false };
    void createSystemClock()
      .sleep(ms)
      .then(() => (state.ended = true));
    await vi.advanceTimersByTimeAsync(passingMs);
    return state.ended;
  }

  test('that is longer than a timer can be does not end early', async () => {
    expect(await endedAfter(60 * DAY_MS, 59 * DAY_MS)).toBe(false);
    expect(await endedAfter(60 * DAY_MS, 60 * DAY_MS + 10)).toBe(true);
    expect(await endedAfter(Infinity, 1000 * DAY_MS)).toBe(false);
  });

  test.each([0, -5, NaN, -Infinity])('of %d ms is none', async (ms) => {
    expect(await endedAfter(ms, 2)).toBe(true);
  });

  test('ends with its signal, and leaves no timer behind', async () => {
    const ending = new AbortController();
    const sleep = createSystemClock().sleep(60 * DAY_MS, ending.signal);
    await vi.advanceTimersByTimeAsync(30 * DAY_MS);
    ending.abort(new Error('enough'));
    await expect(sleep).rejects.toThrow('enough');
    expect(vi.getTimerCount()).toBe(0);
  });
});

/** What the clock of a thread says that starts once the system's clock was set back by an hour. */
async function ofThreadSetBack(module: URL): Promise<number> {
  const worker = new Worker(
    `const { parentPort } = require('node:worker_threads');
     const setBack = 3_600_000;
     const { timeOrigin } = performance;
     Object.defineProperty(performance, 'timeOrigin', { value: timeOrigin - setBack });
     const now = Date.now;
     Date.now = () => now() - setBack;
     import(${JSON.stringify(module.href)}).then(({ createSystemClock }) => {
       parentPort.postMessage(createSystemClock().nowMs());
     });`,
    { eval: true },
  );
  return new Promise((resolve, reject) => {
    worker.on('message', resolve);
    worker.on('error', reject);
  });
}

test('a thread that starts once the clock of the system was set back goes by the clock of the others', async () => {
  const module = new URL('../../build/target/budget/clock.js', import.meta.url);
  const beforeMs = systemNowMs();
  const theirsMs = await ofThreadSetBack(module);
  expect(theirsMs).toBeGreaterThanOrEqual(beforeMs);
  expect(theirsMs).toBeLessThanOrEqual(systemNowMs());
});
