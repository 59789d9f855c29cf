import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BudgetExceeded, Interrupted } from '../../target/budget/governor.ts';
import { createEventClock } from '../../fixtures/clocks/event-clock.ts';
import {
  createBudgetLeft,
  type TargetBudget,
  type BudgetLeft,
  WaitTooLong,
} from './budget-left.ts';

function open(budget: Partial<TargetBudget> = {}) {
  const clock = createEventClock(1_000_000);
  const ending = new AbortController();
  const budgetLeft = createBudgetLeft(
    { maxRequests: 1000, maxRejects: 10, maxSeconds: 20, maxRatePerSecond: 1000, ...budget },
    clock,
    ending.signal,
  );
  return { clock, budgetLeft, ending };
}

describe('a wait', () => {
  test('that fits is waited for, and one that is no number or negative is none', async () => {
    const { clock, budgetLeft } = open();
    for (const ms of [7_000, -5, NaN, -Infinity]) await budgetLeft.sleep(ms);
    expect(clock.nowMs()).toBe(1_007_000);
    await budgetLeft.sleep(13_000);
    expect(budgetLeft.left.seconds).toBe(0);
  });

  test.each([20_001, 12_700_800_000, 2 ** 31, 1e300, Infinity])(
    'of %d ms is not begun where 20 s are left',
    async (ms) => {
      const { clock, budgetLeft } = open();
      await expect(budgetLeft.sleep(ms, 'the silence')).rejects.toThrow(WaitTooLong);
      expect(clock.nowMs()).toBe(1_000_000);
    },
  );

  test('that does not fit says what was wanted and what is left', async () => {
    const { budgetLeft } = open();
    await budgetLeft.sleep(7_700);
    await expect(budgetLeft.sleep(450_000, 'the silence')).rejects.toThrow(
      'the silence would take 450 s, and --max-seconds leaves 12.3 s.',
    );
    await expect(budgetLeft.sleep(Infinity, 'the silence')).rejects.toThrow(
      'nobody knows how long the silence would take, and --max-seconds leaves 12.3 s.',
    );
  });

  test('ends when the run is interrupted, as does whoever waits for a turn', async () => {
    const { clock, budgetLeft, ending } = open({ maxRatePerSecond: 1 });
    await budgetLeft.admit('zap');
    const waiting = Promise.allSettled([
      budgetLeft.sleep(9_000),
      budgetLeft.admit('zap'),
      budgetLeft.admit('zap'),
    ]);
    ending.abort(new Error('Ctrl-C'));
    for (const end of await waiting) {
      expect(end).toMatchObject({ status: 'rejected', reason: { name: 'Interrupted' } });
    }
    expect(clock.nowMs()).toBe(1_000_000);
    await expect(budgetLeft.admit('zap')).rejects.toThrow(Interrupted);
    expect(budgetLeft.spent.requests).toBe(1);
  });
});

test('a request whose turn would come after the end is refused at once', async () => {
  const { clock, budgetLeft } = open({ maxRatePerSecond: 0.04 });
  await budgetLeft.admit('zap');
  await expect(budgetLeft.admit('zap')).rejects.toThrow(BudgetExceeded);
  expect(clock.nowMs()).toBe(1_000_000);
  expect(budgetLeft.spent.requests).toBe(1);
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
      const { clock, budgetLeft } = open({ maxRatePerSecond, maxSeconds: 1_000 });
      const leftMs: number[] = [];
      for (const { pauseMs, count } of drawn) {
        await clock.sleep(pauseMs);
        const burst = Array.from({ length: count }, async (_, nth) => {
          const ticket = await budgetLeft.admit('zap');
          // The first of a burst opens a connection.
          if (nth === 0) await clock.sleep(40);
          leftMs.push(clock.nowMs());
          budgetLeft.departed(ticket);
          budgetLeft.settle(ticket, { kind: 'answered' });
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

describe('what is left of a budget', () => {
  const open = (changes: object): BudgetLeft =>
    createBudgetLeft(
      { maxRequests: 3, maxRejects: 2, maxSeconds: 10, maxRatePerSecond: 10, ...changes },
      createEventClock(0),
    );
  test('spaces requests, and ends with the last of them', async () => {
    const budgetLeft = open({});
    for (const sentMs of [0, 102, 204]) expect((await budgetLeft.admit('zap')).sentMs).toBe(sentMs);
    await expect(budgetLeft.admit('zap')).rejects.toThrow(BudgetExceeded);
    expect(budgetLeft.left.requests).toBe(0);
  });

  test('ends with the last rejection', async () => {
    const budgetLeft = open({ maxRequests: 9 });
    for (let at = 0; at < 2; at += 1) {
      budgetLeft.settle(await budgetLeft.admit('zap'), {
        kind: 'throttled',
        json: {},
        headers: [],
      });
    }
    await expect(budgetLeft.admit('zap')).rejects.toThrow('2 throttled answers');
  });

  test('counts throttled answers alone as rejections', async () => {
    const budgetLeft = open({ maxRequests: 9 });
    for (const kind of ['answered', 'failed'] as const) {
      const end =
        kind === 'answered' ? { kind } : ({ kind, failure: 'timeout', message: '' } as const);
      budgetLeft.settle(await budgetLeft.admit('zap'), end);
    }
    expect([budgetLeft.left.rejects, budgetLeft.spent.rejects]).toEqual([2, 0]);
  });

  test('spaces requests that come at once', async () => {
    const budgetLeft = open({});
    const tickets = await Promise.all([1, 2, 3].map(() => budgetLeft.admit('zap')));
    expect(tickets.map(({ sentMs }) => sentMs)).toEqual([0, 102, 204]);
  });

  test('takes back what it could not let go in time', async () => {
    const budgetLeft = open({ maxSeconds: 0.15 });
    await budgetLeft.admit('zap');
    await budgetLeft.admit('zap');
    await expect(budgetLeft.admit('zap')).rejects.toThrow('seconds');
    expect(budgetLeft.spent.requests).toBe(2);
  });
});
