import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createLiveness, livenessOf } from '../../target/budget/liveness.ts';
import { watch, type Watchdog } from './watchdog.ts';

const SPINS = 'for (;;);';
const WAITS = 'setInterval(() => undefined, 1000)';
/** Shows that it is alive, until it spins. */
const BEATS_THEN_SPINS = `
  const { workerData } = require('node:worker_threads');
  const memory = new Int32Array(workerData);
  setInterval(() => Atomics.add(memory, 2, 1), 20);
  memory[0] = 17;
  memory[1] = 4;
  setTimeout(() => { for (;;); }, 300);
`;
/** In small pieces: a large one that does not fit may end the whole process, not its thread alone. */
const FILLS_MEMORY = 'let kept; for (;;) kept = { kept, more: [1, 2, 3] };';

const clock = { nowMs: (): number => performance.now() };
const threads: Worker[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(threads.splice(0).map((thread) => thread.terminate()));
});

function started(
  code: string,
  deadlineMs = Infinity,
): {
  readonly dog: Watchdog;
  readonly exited: Promise<unknown>;
  readonly memory: SharedArrayBuffer;
} {
  const memory = createLiveness();
  const thread = new Worker(code, {
    eval: true,
    workerData: memory,
    resourceLimits: { maxOldGenerationSizeMb: 40 },
  });
  threads.push(thread);
  // Once listens to errors too, which are no news here.
  thread.on('error', () => undefined);
  const exited = new Promise((resolve) => thread.once('exit', resolve));
  return { dog: watch(thread, memory, clock, deadlineMs), exited, memory };
}

describe('a thread is ended from outside', () => {
  test('when its time is over, though it does nothing but count', async () => {
    const { dog, exited } = started(SPINS, clock.nowMs() + 300);
    await exited;
    expect(dog.endedBy).toBe('time');
  });

  test('when its time was moved forward', async () => {
    const { dog, exited } = started(SPINS);
    dog.endBy(clock.nowMs() + 100);
    dog.endBy(Infinity);
    await exited;
    expect(dog.endedBy).toBe('time');
  });

  test('when somebody asks for it', async () => {
    const { dog, exited } = started(SPINS);
    dog.end('request');
    await exited;
    expect(dog.endedBy).toBe('request');
  });

  test('when it takes more memory than it may', async () => {
    const { dog, exited } = started(FILLS_MEMORY);
    await exited;
    expect(dog.endedBy).toBe('memory');
  });

  test('when its event loop stands still, and what it had in hand is known', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const { dog, exited, memory } = started(BEATS_THEN_SPINS);
    const { beats, inHand } = livenessOf(memory);
    while (Atomics.load(inHand, 1) === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    // As long as it beats no number of looks ends it.
    for (let looks = 0; looks < 500; looks += 1) {
      Atomics.add(beats, 0, 1);
      vi.advanceTimersByTime(250);
    }
    expect(dog.endedBy).toBeUndefined();
    await new Promise((resolve) => setTimeout(resolve, 600));
    // Longer than it may stand still computing nothing: what it has computed is not for this test to say.
    vi.advanceTimersByTime(250 * 245);
    await exited;
    expect(dog.endedBy).toBe('silence');
    expect(dog.inHand).toEqual({ exchange: 17, rule: 4 });
  });
});

test('a thread that ends by itself was not ended', async () => {
  const { dog, exited } = started('1 + 1');
  await exited;
  expect(dog.endedBy).toBeUndefined();
});

test('a thread that is watched no longer goes on', async () => {
  const { dog } = started(WAITS, clock.nowMs() - 1);
  dog.stop();
  const [thread] = threads;
  await expect(
    Promise.race([
      once(thread ?? new Worker('', { eval: true }), 'exit'),
      new Promise((resolve) => setTimeout(resolve, 700, 'goes on')),
    ]),
  ).resolves.toBe('goes on');
});
