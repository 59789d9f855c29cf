/** Long because all that a load run states is tried with one scripted engine. */

import { describe, expect, test } from 'vitest';
import { EXAMPLE_LOAD } from '../../contracts/run/load/load-run.testkit.ts';
import { exchangeOf } from '../../contracts/judging/exchange.testkit.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import type { LoadEngine, PreparedRequest } from '../engine.ts';
import type { LiveJudge } from '../judging/live-judge.ts';
import { hold, scenario } from '../scenarios/scenario.testkit.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import { scheduleOf } from '../scenarios/schedule.ts';
import { parseThreshold } from '../../contracts/run/load/threshold.ts';
import type { RunDescription } from './run-description.ts';
import { type LoadEnded, startLoad } from './run-load.ts';
import { scriptedEngine } from './scripted-engine.testkit.ts';
import { TYPED_ERRORS } from '../../contracts/service/wire/error-body.ts';

const LIST: PreparedRequest = {
  operation: 'zap.pools',
  request: { api: 'zap', method: 'GET', path: '/v1/pools', purpose: { kind: 'valid' } },
};

interface Wish {
  readonly signal?: AbortSignal;
  readonly judge?: LiveJudge;
}

function run(
  engine: LoadEngine,
  wish: Partial<Scenario> = {},
  thresholds: readonly string[] = [],
  more: Partial<RunDescription> & Wish = {},
): Promise<LoadEnded> {
  const made = scenario({ steps: [hold(10, 10, 'first'), hold(20, 10, 'second')], ...wish });
  const description: RunDescription = {
    job: {
      scenario: made,
      schedule: scheduleOf(made),
      requests: [LIST],
      choose: () => LIST,
      isThrottled: TYPED_ERRORS.isThrottled,
      waitIn: TYPED_ERRORS.waitIn,
      ...{ timeoutMs: 1000, maxBodyBytes: 1000, connections: 10 },
      signal: more.signal ?? new AbortController().signal,
    },
    ...{ engine: () => engine, version: '1', machine: EXAMPLE_LOAD.machine, keep: () => true },
    thresholds: thresholds.map(parseThreshold),
    failsRun: (rule) => rule !== 'zap.passing',
    ...more,
  };
  return startLoad(description, more.judge).ended;
}

/** A judge that finds every tenth answer broken, and reports none of them before the end. */
function everyTenth(): LiveJudge {
  let [judged, broken] = [0, 0];
  const waiting: (() => void)[] = [];
  return {
    exchange: (_exchange, _step, onBroken) => {
      judged += 1;
      if (judged % 10 !== 0) return;
      broken += 1;
      if (onBroken !== undefined) waiting.push(onBroken);
    },
    wants: () => true,
    counts: () => ({ judged, broken }),
    settle: () => Promise.resolve(),
    end: () => {
      for (const onBroken of waiting) onBroken();
      return Promise.resolve({
        judged: { answers: judged, of: judged, kept: 7 },
        violations: [
          { rule: 'zap.a', count: broken, firstStep: 0, firstExchange: 'x1', bySteps: [] },
          { rule: 'zap.passing', count: 99, firstStep: 0, firstExchange: 'x1', bySteps: [] },
        ],
        steps: [
          { judged: 100, broken: 10 },
          { judged: 200, broken: 20 },
        ],
        notices: ['judged'],
      });
    },
  };
}

describe('a load run', () => {
  test('reports counts, steps, operations and moments of what was sent', async () => {
    const fates = ['served', 'served', 'throttled', 'serverError', 'timeout'] as const;
    const { load } = await run(scriptedEngine((slot) => ({ fate: fates[slot % 5] ?? 'served' })));
    expect(load.whole.counts).toEqual({
      ...{ offered: 300, sent: 300, served: 120, throttled: 60, errors: 60, failed: 60 },
      ...{ late: 0, byFate: { serverError: 60, timeout: 60 } },
    });
    expect(
      load.steps.map(({ name, counts: { sent }, beginsSeconds }) => [name, sent, beginsSeconds]),
    ).toEqual([
      ['first', 100, 0],
      ['second', 200, 10],
    ]);
    expect(load.operations.map(({ operation, counts: { sent } }) => [operation, sent])).toEqual([
      ['zap.pools', 300],
    ]);
    expect(load.moments).toHaveLength(20);
    expect(load).toMatchObject({ scenario: 'test', engine: { name: 'open-loop', version: '1' } });
    expect(load.invalid).toEqual([]);
    expect(load.judged).toEqual({
      ...{ answers: 0, of: 240, kept: 0 },
      leftOut: { asked: 240, late: 0 },
    });
  });

  test('holds thresholds against the whole of it', async () => {
    const slow = scriptedEngine((slot) => ({ latencyMs: slot % 50 === 0 ? 500 : 20 }));
    const { load } = await run(slow, {}, ['p95<30ms', 'p99<30ms', 'rate>=15/s', 'dropped==0']);
    expect(load.thresholds.map(({ held }) => held)).toEqual([true, false, true, true]);
  });

  test('is not valid where the generator was late, dropped something, or failed otherwise', async () => {
    const { load } = await run(
      scriptedEngine(() => ({}), { fireLagP99Ms: 90, dropped: 2, problems: ['It broke.'] }),
    );
    expect(load.invalid).toHaveLength(3);
    expect(load.invalid[0]).toBe('It broke.');
    expect(load.generator).toMatchObject({ fireLagP99Ms: 90, dropped: 2 });
  });

  test('has answers judged as they come, and reports what they broke in the second of each', async () => {
    const judge = everyTenth();
    const engine = scriptedEngine(undefined, {}, ({ sink }, { step, dueMs }) => {
      sink.exchange?.(exchangeOf({}), step, dueMs);
    });
    const { load, notices } = await run(engine, {}, ['violations==0', 'violations<31'], { judge });
    expect(load.judged).toEqual({ answers: 300, of: 300, kept: 7 });
    expect(load.steps.map(({ judged, violations }) => [judged, violations])).toEqual([
      [100, 10],
      [200, 20],
    ]);
    expect(load.thresholds).toEqual([
      { expression: 'violations==0', measured: 30, held: false },
      { expression: 'violations<31', measured: 30, held: true },
    ]);
    // One in ten of 10 a second, then of 20 a second, however late it was found.
    expect(load.moments.map(({ violations }) => violations)).toEqual([
      ...Array.from({ length: 10 }, () => 1),
      ...Array.from({ length: 10 }, () => 2),
    ]);
    expect(notices).toEqual(['judged']);
  });

  test('takes what an engine found that judges by itself, and keeps what it hands out', async () => {
    const kept: Exchange[] = [];
    const engine = scriptedEngine(undefined, {}, ({ sink }, { slot, step, dueMs }) => {
      sink.judged?.(step, slot % 2 === 0 ? 'all' : 'card');
      if (slot === 130)
        sink.violated?.({ rule: 'zap.a', step, slot, dueMs, exchange: exchangeOf({}) });
      if (slot === 130) sink.violated?.({ rule: 'zap.b', step, slot, dueMs });
      if (slot === 150) sink.violated?.({ rule: 'zap.a', step, slot, dueMs });
    });
    const keep = (exchange: Exchange): boolean => kept.push(exchange) > 0;
    const { load, notices } = await run(engine, {}, ['violations<=3'], { keep });
    expect(load.judged).toEqual({ answers: 300, of: 300, kept: 1, byAll: 150 });
    expect(load.violations).toEqual([
      {
        ...{ rule: 'zap.a', count: 2, firstStep: 1, firstExchange: 'k00001' },
        bySteps: [
          { judged: 100, broken: 0 },
          { judged: 200, broken: 2 },
        ],
      },
      expect.objectContaining({ rule: 'zap.b', count: 1, firstExchange: '' }),
    ]);
    expect(load.steps.map(({ violations }) => violations)).toEqual([0, 2]);
    // An answer that breaks two rules is one.
    const broken = load.moments.flatMap((one) => (one.violations > 0 ? one : []));
    expect(broken.map(({ second, violations }) => [second, violations])).toEqual([
      [11, 1],
      [12, 1],
    ]);
    expect(load.thresholds[0]).toMatchObject({ measured: 3, held: true });
    expect(kept.map(({ id }) => id)).toEqual(['k00001']);
    expect(notices).toEqual([]);
  });

  test('that is interrupted reports what was wanted until then', async () => {
    const controller = new AbortController();
    const engine = scriptedEngine(undefined, {}, (_job, { slot }) => {
      if (slot === 119) controller.abort();
    });
    const { load } = await run(engine, {}, [], { signal: controller.signal });
    expect(load.whole.counts).toMatchObject({ offered: 120, sent: 120 });
    expect(load.steps.map(({ counts: { offered } }) => offered)).toEqual([100, 20]);
    expect(load.steps[1]?.seconds).toBeCloseTo(0.95, 1);
    expect(load.interrupted?.ofSeconds).toBe(load.steps.length * 10);
    expect(load.interrupted?.atSeconds).toBeCloseTo(10.95, 1);
    expect(load).not.toHaveProperty('unanswered');
  });

  test('that is interrupted says how many requests it gave up', async () => {
    const controller = new AbortController();
    controller.abort();
    const engine = scriptedEngine(undefined, { unanswered: 7, interruptedMs: 1_000 });
    const { load } = await run(engine, {}, [], { signal: controller.signal });
    expect(load).toMatchObject({ unanswered: 7, interrupted: { atSeconds: 1 } });
  });

  test('that came to its end was not interrupted', async () => {
    const { load } = await run(scriptedEngine(undefined, { unanswered: 0 }));
    expect(load).not.toHaveProperty('interrupted');
    expect(load).not.toHaveProperty('unanswered');
  });

  test('reports what was broken by what else was asked meanwhile', async () => {
    const engine = scriptedEngine(undefined, {}, ({ sink }, { step, dueMs }) => {
      sink.exchange?.(exchangeOf({}), step, dueMs);
    });
    const violation = {
      ...{ rule: 'zap.idempotency-key.twins-are-served', count: 1, firstStep: 0 },
      ...{ firstExchange: 't00001', bySteps: [] },
    };
    const beside = { end: () => Promise.resolve([violation]) };
    const { load } = await run(engine, {}, ['violations==0'], { beside, judge: everyTenth() });
    expect(load.violations).toContainEqual(violation);
    // It counts as any other does.
    expect(load.thresholds[0]?.measured).toBe(31);
  });

  test('in parts sends every n-th request, when it is due in the whole', async () => {
    const slots: number[] = [];
    const engine = scriptedEngine(undefined, {}, (_job, { slot }) => slots.push(slot));
    const part = { index: 2, of: 3, plan: 'ab' };
    const { load } = await run(engine, {}, [], { part });
    expect(load.part).toEqual(part);
    expect(load.whole.counts).toMatchObject({ offered: 100, sent: 100 });
    expect(slots).toHaveLength(100);
  });
});

describe('the search for a breakpoint', () => {
  const stairs = {
    steps: [10, 20, 30, 40].map((rate) => hold(rate, 10, `${rate}/s`)),
    endsWhenBroken: true,
  };

  test('ends with the first step that breaks a threshold', async () => {
    const engine = scriptedEngine((_slot, step) => ({ latencyMs: step < 2 ? 20 : 700 }));
    const { load } = await run(engine, stairs, ['p99<300ms', 'errors<5%', 'dropped==0']);
    expect(load.breakpoint).toEqual({ step: 2, thresholds: ['p99<300ms'] });
    expect(load.thresholds).toEqual([
      { expression: 'p99<300ms', measured: expect.closeTo(700, 0) as number, held: false },
      { expression: 'errors<5%', measured: 0, held: true },
      { expression: 'dropped==0', measured: 0, held: true },
    ]);
    expect(load.steps.length).toBeLessThan(5);
    expect(load.whole.counts.sent).toBeLessThan(700);
  });

  test('finds errors, and is not misled by a rate that the first steps do not have', async () => {
    const engine = scriptedEngine((slot, step) => ({
      fate: step === 1 && slot % 4 === 0 ? 'timeout' : 'served',
    }));
    const { load } = await run(engine, stairs, ['errors<5%', 'rate>=25/s', 'violations==0']);
    expect(load.breakpoint).toEqual({ step: 1, thresholds: ['errors<5%'] });
  });

  test('looks at the last step as well, once all of it is in', async () => {
    const engine = scriptedEngine((_slot, step) => ({ latencyMs: step < 3 ? 20 : 400 }));
    const { load } = await run(engine, stairs, ['p99<300ms']);
    expect(load.breakpoint?.step).toBe(3);
    expect(load.whole.counts.sent).toBe(1000);
  });

  test('reports none if there is none', async () => {
    const { load } = await run(scriptedEngine(), stairs, ['p99<300ms']);
    expect(load.breakpoint).toBeUndefined();
    expect(load.whole.counts.sent).toBe(1000);
    expect(load.thresholds[0]?.held).toBe(true);
  });

  test('goes on through a broken threshold where nobody looks for it', async () => {
    const engine = scriptedEngine(() => ({ latencyMs: 700 }));
    const { load } = await run(engine, { ...stairs, endsWhenBroken: false }, ['p99<300ms']);
    expect(load.breakpoint).toBeUndefined();
    expect(load.whole.counts.sent).toBe(1000);
  });
});
