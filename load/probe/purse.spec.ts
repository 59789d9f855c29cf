import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BudgetExceeded, Interrupted } from '../../fixtures/target/budget/governor.ts';
import { createEventClock } from '../service/bench/event-clock.ts';
import { createPurse, type ProbePurse, type Purse, WaitTooLong } from './purse.ts';

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

describe('a purse', () => {
  const open = (changes: object): Purse =>
    createPurse(
      { maxRequests: 3, maxRejects: 2, maxSeconds: 10, maxRatePerSecond: 10, ...changes },
      createEventClock(0),
    );
  test('spaces requests, and ends with the last of them', async () => {
    const purse = open({});
    for (const sentMs of [0, 102, 204]) expect((await purse.admit('zap')).sentMs).toBe(sentMs);
    await expect(purse.admit('zap')).rejects.toThrow(BudgetExceeded);
    expect(purse.left.requests).toBe(0);
  });

  test('ends with the last rejection', async () => {
    const purse = open({ maxRequests: 9 });
    for (let at = 0; at < 2; at += 1) {
      purse.settle(await purse.admit('zap'), { kind: 'throttled', json: {}, headers: [] });
    }
    await expect(purse.admit('zap')).rejects.toThrow('2 throttled answers');
  });

  test('counts throttled answers alone as rejections', async () => {
    const purse = open({ maxRequests: 9 });
    for (const kind of ['answered', 'failed'] as const) {
      const end =
        kind === 'answered' ? { kind } : ({ kind, failure: 'timeout', message: '' } as const);
      purse.settle(await purse.admit('zap'), end);
    }
    expect([purse.left.rejects, purse.spent.rejects]).toEqual([2, 0]);
  });

  test('spaces requests that come at once', async () => {
    const purse = open({});
    const tickets = await Promise.all([1, 2, 3].map(() => purse.admit('zap')));
    expect(tickets.map(({ sentMs }) => sentMs)).toEqual([0, 102, 204]);
  });

  test('takes back what it could not let go in time', async () => {
    const purse = open({ maxSeconds: 0.15 });
    await purse.admit('zap');
    await purse.admit('zap');
    await expect(purse.admit('zap')).rejects.toThrow('seconds');
    expect(purse.spent.requests).toBe(2);
  });
});
