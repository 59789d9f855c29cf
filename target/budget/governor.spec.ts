import { describe, expect, test } from 'vitest';
import { TYPED_ERRORS } from '../../contracts/service/wire/error-body.ts';
import { createFakeClock } from '../../fixtures/clocks/fake-clock.testkit.ts';
import {
  ApiUnreachable,
  BudgetExceeded,
  createGovernor,
  Interrupted,
  type Budget,
} from './governor.ts';

const UNLIMITED: Budget = { maxRequests: Infinity, maxSeconds: Infinity, maxRejects: Infinity };

describe('budget', () => {
  async function spend(budget: Partial<Budget>, sends: number): Promise<unknown> {
    const clock = createFakeClock();
    const governor = createGovernor({
      waitIn: TYPED_ERRORS.waitIn,
      budget: { ...UNLIMITED, ...budget },
      clock,
    });
    const spending = (async (): Promise<void> => {
      for (let at = 0; at < sends; at += 1) {
        const ticket = await governor.admit('zap');
        await clock.sleep(100);
        governor.settle(ticket, { kind: 'answered' });
      }
    })();
    return clock.run(spending).catch((error: unknown) => error);
  }

  test('of requests', async () => {
    expect(await spend({ maxRequests: 5 }, 5)).toBeUndefined();
    const error = await spend({ maxRequests: 5 }, 6);
    expect(error).toBeInstanceOf(BudgetExceeded);
    expect(error).toMatchObject({ which: 'requests', value: 5 });
    expect(String(error)).toContain('--max-requests');
  });

  test('of time', async () => {
    expect(await spend({ maxSeconds: 1 }, 10)).toBeUndefined();
    expect(await spend({ maxSeconds: 1 }, 11)).toMatchObject({ which: 'seconds', value: 1 });
  });

  test('of rejects, also when they come back together', async () => {
    const clock = createFakeClock();
    const governor = createGovernor({
      waitIn: TYPED_ERRORS.waitIn,
      budget: { ...UNLIMITED, maxRejects: 2 },
      clock,
    });
    const tickets = [await governor.admit('zap'), await governor.admit('zap')];
    for (const ticket of tickets) {
      governor.settle(ticket, { kind: 'throttled', json: {}, headers: [] });
    }
    await expect(governor.admit('zap')).rejects.toMatchObject({ which: 'rejects', value: 2 });
    expect(governor.spent).toEqual({ requests: 2, rejects: 2, seconds: 0 });
  });

  test('a wait beyond the end of the run is not begun', async () => {
    const clock = createFakeClock();
    const governor = createGovernor({
      waitIn: TYPED_ERRORS.waitIn,
      budget: { ...UNLIMITED, maxSeconds: 20 },
      clock,
    });
    const ticket = await governor.admit('zap');
    governor.settle(ticket, { kind: 'throttled', json: { retryAfter: 30 }, headers: [] });
    await expect(governor.admit('zap')).rejects.toMatchObject({ which: 'seconds' });
    expect(clock.nowMs()).toBe(ticket.sentMs);
  });

  test('of rate, over all APIs', async () => {
    const clock = createFakeClock();
    const governor = createGovernor({
      waitIn: TYPED_ERRORS.waitIn,
      budget: { ...UNLIMITED, maxRate: 4 },
      clock,
    });
    const apis = ['zap', 'trade', 'docs', 'zap', 'trade'] as const;
    const sent = apis.map(async (api) => {
      const ticket = await governor.admit(api);
      governor.departed(ticket);
      return ticket.sentMs - 1_000_000;
    });
    const sentMs = (await clock.run(Promise.all(sent))).sort((a, b) => a - b);
    // Evenly spaced, and the fifth more than a second after the first.
    expect(sentMs).toEqual([0, 255, 510, 765, 1_020]);
  });

  test('a wait of the driver is not begun if it does not fit into the run', async () => {
    const clock = createFakeClock();
    const governor = createGovernor({
      waitIn: TYPED_ERRORS.waitIn,
      budget: { ...UNLIMITED, maxSeconds: 20 },
      clock,
    });
    await clock.run(governor.sleep(7_000));
    await clock.run(Promise.all([governor.sleep(-1), governor.sleep(NaN)]));
    expect(clock.nowMs()).toBe(1_007_000);
    await expect(governor.sleep(13_000)).rejects.toMatchObject({
      which: 'seconds',
      message: expect.stringContaining(
        '20 seconds has no room for a wait of 13 s. --max',
      ) as string,
    });
    await expect(governor.sleep(Infinity)).rejects.toThrow(BudgetExceeded);
  });
});

describe('an interrupted run', () => {
  function interruptible(budget: Partial<Budget> = {}) {
    const clock = createFakeClock();
    const stop = new AbortController();
    const governor = createGovernor({
      waitIn: TYPED_ERRORS.waitIn,
      budget: { ...UNLIMITED, ...budget },
      clock,
      signal: stop.signal,
    });
    const end = (why?: unknown): void => {
      stop.abort(why);
    };
    return { clock, governor, stop: end };
  }
  const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  test('lets nothing through any more, whoever waits and whoever comes', async () => {
    const { governor, stop } = interruptible();
    const ticket = await governor.admit('zap');
    governor.settle(ticket, { kind: 'throttled', json: { retryAfter: 30 }, headers: [] });
    const waiting = [governor.admit('zap'), governor.admit('zap'), governor.sleep(60_000)];
    const ends = Promise.allSettled(waiting);
    await soon();
    stop(new Error('Ctrl-C'));
    // No time passes on this clock, so whatever ends does so at once.
    for (const end of await ends) {
      expect(end).toMatchObject({ status: 'rejected', reason: { name: 'Interrupted' } });
    }
    await expect(governor.admit('docs')).rejects.toThrow(Interrupted);
    await expect(governor.admit('docs')).rejects.toThrow('The run was interrupted');
    await expect(governor.sleep(1)).rejects.toThrow(Interrupted);
    expect(governor.spent.requests).toBe(1);
  });

  test('lets nothing through that waits for the rate', async () => {
    const { governor, stop } = interruptible({ maxRate: 1 });
    await governor.admit('zap');
    const waiting = Promise.allSettled([governor.admit('zap'), governor.admit('trade')]);
    await soon();
    stop();
    expect((await waiting).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(governor.spent.requests).toBe(1);
  });

  test('says why if it was stopped by a budget', async () => {
    const { governor, stop } = interruptible();
    stop(new BudgetExceeded('requests', 7));
    await expect(governor.admit('zap')).rejects.toThrow(BudgetExceeded);
  });
});

describe('an API that does not answer', () => {
  const failed = { kind: 'failed', failure: 'connect', message: 'nothing listens' } as const;

  test('is left alone after three failures in a row, the others are not', async () => {
    const governor = createGovernor({
      waitIn: TYPED_ERRORS.waitIn,
      budget: UNLIMITED,
      clock: createFakeClock(),
    });
    for (let at = 0; at < 3; at += 1) governor.settle(await governor.admit('zap'), failed);
    await expect(governor.admit('zap')).rejects.toThrow(ApiUnreachable);
    await expect(governor.admit('zap')).rejects.toThrow(/zap API.*nothing listens/);
    await expect(governor.admit('trade')).resolves.toMatchObject({ api: 'trade' });
    expect([...governor.unreachable.keys()]).toEqual(['zap']);
    expect(governor.spent.requests).toBe(4);
  });

  test('is not given up for what this machine lacks, which is said to be of the machine', async () => {
    const machine = { kind: 'failed', failure: 'machine', message: 'too many files' } as const;
    const governor = createGovernor({
      waitIn: TYPED_ERRORS.waitIn,
      budget: UNLIMITED,
      clock: createFakeClock(),
    });
    // Two and two are neither three of the one nor of the other.
    for (const one of [failed, failed, machine, machine, { kind: 'answered' } as const]) {
      governor.settle(await governor.admit('zap'), one);
    }
    expect(governor.unreachable.size).toBe(0);
    for (let at = 0; at < 3; at += 1) governor.settle(await governor.admit('zap'), machine);
    await expect(governor.admit('zap')).rejects.toThrow(
      /^this machine could not send to the zap API 3 times in a row, which says nothing of it: too/,
    );
  });

  test.each([
    ['an answer', { kind: 'answered' } as const],
    ['a body too large', { kind: 'failed', failure: 'too-large', message: '' } as const],
  ])('is given up only when nothing comes between: %s', async (_what, between) => {
    const governor = createGovernor({
      waitIn: TYPED_ERRORS.waitIn,
      budget: UNLIMITED,
      clock: createFakeClock(),
    });
    for (const settlement of [failed, failed, between, failed, failed]) {
      governor.settle(await governor.admit('zap'), settlement);
    }
    await expect(governor.admit('zap')).resolves.toBeDefined();
  });
});
