import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BudgetExceeded, Interrupted } from '../../fixtures/target/budget/governor.ts';
import { createEventClock } from '../service/bench/event-clock.ts';
import { createPurse, type ProbePurse, WaitTooLong } from './purse.ts';

function open(budget: Partial<ProbePurse> = {}) {
  const clock = createEventClock(1_000_000);
  const ending = new AbortController();
  const purse = createPurse(
    { maxRequests: 1000, maxRejects: 10, maxSeconds: 20, maxRatePerSecond: 1000, ...budget },
    clock,
    ending.signal,
  );
  return { clock, purse, ending };
}

describe('a wait', () => {
  test('that fits is waited for, and one that is no number or negative is none', async () => {
    const { clock, purse } = open();
    for (const ms of [7_000, -5, NaN, -Infinity]) await purse.sleep(ms);
    expect(clock.nowMs()).toBe(1_007_000);
    await purse.sleep(13_000);
    expect(purse.left.seconds).toBe(0);
  });

  test.each([20_001, 12_700_800_000, 2 ** 31, 1e300, Infinity])(
    'of %d ms is not begun where 20 s are left',
    async (ms) => {
      const { clock, purse } = open();
      await expect(purse.sleep(ms, 'the silence')).rejects.toThrow(WaitTooLong);
      expect(clock.nowMs()).toBe(1_000_000);
    },
  );

  test('that does not fit says what was wanted and what is left', async () => {
    const { purse } = open();
    await purse.sleep(7_700);
    await expect(purse.sleep(450_000, 'the silence')).rejects.toThrow(
      'the silence would take 450 s, and --max-seconds leaves 12.3 s.',
    );
    await expect(purse.sleep(Infinity, 'the silence')).rejects.toThrow(
      'nobody knows how long the silence would take, and --max-seconds leaves 12.3 s.',
    );
  });

  test('ends when the run is interrupted, as does whoever waits for a turn', async () => {
    const { clock, purse, ending } = open({ maxRatePerSecond: 1 });
    await purse.admit('zap');
    const waiting = Promise.allSettled([
      purse.sleep(9_000),
      purse.admit('zap'),
      purse.admit('zap'),
    ]);
    ending.abort(new Error('Ctrl-C'));
    for (const end of await waiting) {
      expect(end).toMatchObject({ status: 'rejected', reason: { name: 'Interrupted' } });
    }
    expect(clock.nowMs()).toBe(1_000_000);
    await expect(purse.admit('zap')).rejects.toThrow(Interrupted);
    expect(purse.spent.requests).toBe(1);
  });
});

test('a request whose turn would come after the end is refused at once', async () => {
  const { clock, purse } = open({ maxRatePerSecond: 0.04 });
  await purse.admit('zap');
  await expect(purse.admit('zap')).rejects.toThrow(BudgetExceeded);
  expect(clock.nowMs()).toBe(1_000_000);
  expect(purse.spent.requests).toBe(1);
});

test('at most so many requests leave in any second, though bursts come after pauses', async () => {
  const bursts = fc.array(
    fc.record({ pauseMs: fc.nat(1_500), count: fc.integer({ min: 1, max: 9 }) }),
    {
      minLength: 1,
      maxLength: 8,
    },
  );
  await fc.assert(
    fc.asyncProperty(bursts, fc.constantFrom(0.5, 2.5, 3, 20), async (drawn, maxRatePerSecond) => {
      const { clock, purse } = open({ maxRatePerSecond, maxSeconds: 1_000 });
      const leftMs: number[] = [];
      for (const { pauseMs, count } of drawn) {
        await clock.sleep(pauseMs);
        const burst = Array.from({ length: count }, async (_, nth) => {
          const ticket = await purse.admit('zap');
          // The first of a burst opens a connection.
          if (nth === 0) await clock.sleep(40);
          leftMs.push(clock.nowMs());
          purse.departed(ticket);
          purse.settle(ticket, { kind: 'answered' });
        });
        await Promise.all(burst);
      }
      const windowMs = Math.max(1000, 1000 / maxRatePerSecond);
      const most = leftMs.map(
        (fromMs) => leftMs.filter((ms) => ms >= fromMs && ms <= fromMs + windowMs).length,
      );
      expect(Math.max(...most)).toBeLessThanOrEqual(Math.max(1, Math.floor(maxRatePerSecond)));
    }),
    { numRuns: 40 },
  );
});
