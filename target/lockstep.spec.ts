import { describe, expect, test } from 'vitest';
import { TYPED_ERRORS } from '../contracts/service/wire/error-body.ts';
import { createFakeClock } from '../fixtures/clocks/fake-clock.testkit.ts';
import { createGovernor } from './budget/governor.ts';
import { createLockstep, inStep, type Lockstep, NO_MORE } from './lockstep.ts';

const PATIENCE_MS = 10_000;

/** Two drives that are ready to begin, and hear of each other at once. */
function wired(clock = createFakeClock()): {
  readonly clock: typeof clock;
  readonly a: Lockstep;
  readonly b: Lockstep;
} {
  const a: Lockstep = createLockstep({
    ...{ clock, patienceMs: PATIENCE_MS },
    announce: (mine) => {
      b.see(mine);
    },
  });
  const b: Lockstep = createLockstep({
    ...{ clock, patienceMs: PATIENCE_MS },
    announce: (mine) => {
      a.see(mine);
    },
  });
  a.see(0);
  b.see(0);
  return { clock, a, b };
}

/** Begins so many requests one after another, noting each. */
async function begin(
  lockstep: Lockstep,
  name: string,
  count: number,
  log: string[],
  answered: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    await lockstep.turn();
    log.push(`${name}${number}`);
    await answered();
  }
}

describe('two drives in step', () => {
  test('begin their requests in turns, whichever of them is the faster', async () => {
    const { clock, a, b } = wired();
    const log: string[] = [];
    const slow = (): Promise<void> => clock.sleep(70);
    await clock.run(Promise.all([begin(a, 'a', 20, log), begin(b, 'b', 20, log, slow)]));
    expect(log).toHaveLength(40);
    let [ofA, ofB] = [0, 0];
    for (const one of log) {
      if (one.startsWith('a')) ofA += 1;
      else ofB += 1;
      expect(Math.abs(ofA - ofB)).toBeLessThanOrEqual(1);
    }
  });

  test('keep the order of what one of them sends at once', async () => {
    const { clock, a, b } = wired();
    const order: number[] = [];
    const atOnce = [1, 2, 3, 4, 5].map((number) => a.turn().then(() => order.push(number)));
    await clock.run(Promise.all([...atOnce, begin(b, 'b', 5, [])]));
    expect(order).toEqual([1, 2, 3, 4, 5]);
  });

  test('go on alone once the other sends no more', async () => {
    const { clock, a } = wired();
    const startMs = clock.nowMs();
    a.see(NO_MORE);
    await clock.run(begin(a, 'a', 1_000, []));
    expect(clock.nowMs()).toBe(startMs);
  });
});

describe('a drive whose partner is silent', () => {
  test('waits for it to start, with all its patience and no more', async () => {
    const clock = createFakeClock();
    const a = createLockstep({ announce: () => undefined, clock, patienceMs: PATIENCE_MS });
    const startMs = clock.nowMs();
    await clock.run(begin(a, 'a', 3, []));
    expect(clock.nowMs() - startMs).toBe(PATIENCE_MS);
  });

  test('begins once it has started', async () => {
    const clock = createFakeClock();
    const a = createLockstep({ announce: () => undefined, clock, patienceMs: PATIENCE_MS });
    const startMs = clock.nowMs();
    const first = a.turn().then(() => clock.nowMs() - startMs);
    const started = clock.sleep(PATIENCE_MS / 2).then(() => {
      a.see(0);
    });
    await clock.run(started);
    expect(await clock.run(first)).toBe(PATIENCE_MS / 2);
  });

  test('waits a second for each request, and so long in all as it has patience', async () => {
    const clock = createFakeClock();
    const a = createLockstep({ announce: () => undefined, clock, patienceMs: PATIENCE_MS });
    a.see(0);
    const startMs = clock.nowMs();
    await clock.run(begin(a, 'a', 3, []));
    expect(clock.nowMs() - startMs).toBe(2_000);
    await clock.run(begin(a, 'a', 500, []));
    expect(clock.nowMs() - startMs).toBe(PATIENCE_MS);
  });

  test('spends its patience once for all that waits at the same time', async () => {
    const clock = createFakeClock();
    const a = createLockstep({ announce: () => undefined, clock, patienceMs: PATIENCE_MS });
    a.see(0);
    const startMs = clock.nowMs();
    await clock.run(Promise.all(Array.from({ length: 50 }, () => a.turn())));
    expect(clock.nowMs() - startMs).toBe(1_000);
    await clock.run(a.turn());
    expect(clock.nowMs() - startMs).toBe(2_000);
  });

  test('stops waiting when the run is interrupted', async () => {
    const clock = createFakeClock();
    const interrupted = new AbortController();
    const { signal } = interrupted;
    const a = createLockstep({ announce: () => undefined, clock, patienceMs: PATIENCE_MS, signal });
    a.see(0);
    await a.turn();
    const startMs = clock.nowMs();
    const second = a.turn();
    interrupted.abort();
    await second;
    await a.turn();
    expect(clock.nowMs()).toBe(startMs);
  });
});

test('a governor in step lets nothing through before its turn, and still keeps the budget', async () => {
  const clock = createFakeClock();
  const governor = createGovernor({
    waitIn: TYPED_ERRORS.waitIn,
    budget: { maxRequests: 2, maxRejects: 1, maxSeconds: 600 },
    clock,
  });
  const reported: number[] = [];
  const lockstep = createLockstep({
    ...{ clock, patienceMs: PATIENCE_MS },
    announce: (mine) => reported.push(mine),
  });
  const both = inStep(governor, lockstep);
  lockstep.see(0);
  await both.admit('zap');
  const second = both.admit('zap');
  await new Promise((resolve) => setImmediate(resolve));
  expect([reported, both.spent.requests]).toEqual([[1], 1]);
  lockstep.see(1);
  await second;
  expect([reported, both.spent.requests]).toEqual([[1, 2], 2]);
  lockstep.see(NO_MORE);
  await expect(both.admit('zap')).rejects.toThrow('2 requests');
});

test('of two words that cross the one that reports more requests holds', async () => {
  const clock = createFakeClock();
  const reported: number[] = [];
  const one = createLockstep({
    ...{ clock, patienceMs: PATIENCE_MS },
    announce: (mine) => reported.push(mine),
  });
  one.see(3);
  one.see(1);
  const log: string[] = [];
  const startedMs = clock.nowMs();
  await clock.run(begin(one, 'a', 4, log));
  expect(clock.nowMs()).toBe(startedMs);
  expect(reported).toEqual([1, 2, 3, 4]);
});
