/** Long because it holds what a run reports against each server of known behaviour. */

import { describe, expect, test } from 'vitest';
import { loadOutcome } from '../../contracts/run/load/load-outcome.ts';
import type { RunLoad } from '../../contracts/run/load/load-run.ts';
import { parseThreshold } from '../../contracts/run/load/threshold.ts';
import { TYPED_ERRORS } from '../../contracts/service/wire/error-body.ts';
import {
  type Behaviour,
  broken,
  capacity,
  delay,
  growth,
  oneIn,
  restart,
  stall,
  twoModes,
} from '../../fixtures/truths/behaviours.ts';
import type { LoadEngine } from '../engine.ts';
import { runVirtually, VirtualTime } from '../engines/open-loop/virtual-target.testkit.ts';
import { planOf, scenarioOf, steady } from '../samples/sample.testkit.ts';
import { builtinScenarios } from '../scenarios/builtin.ts';
import type { LoadStep, Scenario } from '../scenarios/scenario.ts';
import { usualThresholds } from '../usual-thresholds.ts';
import { startLoad } from './run-load.ts';

const RESET = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

/** The open loop on virtual time, against a server of known behaviour. */
function engineAgainst(behaviour: Behaviour, time: VirtualTime): LoadEngine {
  let number = 0;
  return {
    name: 'open-loop',
    cannot: () => undefined,
    run: async (job) => {
      const { facts } = await runVirtually(
        job.scenario,
        (nowMs) => {
          const { breaks, ...known } = behaviour(nowMs, number);
          number += 1;
          if (breaks === undefined) return known;
          return { ...known, error: RESET, isBegun: breaks === 'truncated' };
        },
        job,
        time,
      );
      return facts;
    },
  };
}

interface Wish {
  readonly thresholds?: readonly string[];
  readonly scenario?: Partial<Scenario>;
  readonly time?: VirtualTime;
}

/** A run of some steps against a server of known behaviour, held to what is usual and to more. */
async function run(
  behaviour: Behaviour,
  steps: readonly LoadStep[],
  { thresholds = [], scenario: rest = {}, time = new VirtualTime() }: Wish = {},
): Promise<RunLoad> {
  const scenario = scenarioOf(steps, rest);
  const { load } = await startLoad({
    job: {
      ...planOf(scenario),
      ...{ isThrottled: TYPED_ERRORS.isThrottled, waitIn: TYPED_ERRORS.waitIn },
      ...{ timeoutMs: 3_000, maxBodyBytes: 1_000_000, connections: 10_000 },
      signal: new AbortController().signal,
    },
    engine: () => engineAgainst(behaviour, time),
    version: '1',
    keep: () => true,
    thresholds: [...thresholds.map(parseThreshold), ...usualThresholds(scenario, false)],
    failsRun: () => true,
  }).ended;
  return load;
}

const minute = [steady(100, 60)];
const outcomeOf = async (...given: Parameters<typeof run>): Promise<string> =>
  loadOutcome(await run(...given));
const isNear = (measured: number | undefined, trueMs: number): boolean =>
  Math.abs((measured ?? Infinity) - trueMs) <= Math.max(2, 0.02 * trueMs);

describe('latencies are those of the server', () => {
  test('that takes the same time for all', async () => {
    const { latency } = (await run(delay(20), minute)).whole;
    expect([latency.p50Ms, latency.p99Ms, latency.worstMs].every((ms) => isNear(ms, 20))).toBe(
      true,
    );
  });

  test('that takes long for one in fifty', async () => {
    const { latency } = (await run(twoModes(5, 200, 50), minute)).whole;
    expect([isNear(latency.p95Ms, 5), isNear(latency.p99Ms, 200)]).toEqual([true, true]);
  });

  test('that stands still for a second of ten, also of what was due meanwhile', async () => {
    const { latency } = (await run(stall(5, 10_000, 1_000), minute)).whole;
    const { p50Ms, p95Ms, p99Ms } = latency;
    expect([isNear(p50Ms, 5), isNear(p95Ms, 505), isNear(p99Ms, 905)]).toEqual([true, true, true]);
  });

  test('that has room for less than was sent', async () => {
    const { latency } = (await run(capacity(80), [steady(100, 10)])).whole;
    expect(isNear(latency.p50Ms, 1_262)).toBe(true);
  });
});

describe('what failed counts', () => {
  const few = { scenario: { keeps: ['errors<1%'] }, thresholds: ['p99.9<500ms', 'max<500ms'] };

  test.each<[string, Behaviour, string]>([
    ['that hangs', oneIn(200, 'hang', 20), 'timeout'],
    ['that is cut off', oneIn(200, { breaks: 'reset' }, 20), 'reset'],
    ['whose answer breaks off', oneIn(200, { breaks: 'truncated' }, 20), 'brokenOff'],
    ['with an error of the server', oneIn(200, { status: 500 }, 20), 'serverError'],
  ])(
    'beyond any bound of the percentiles that one in 200 takes part in: %s',
    async (_what, behaviour, fate) => {
      const load = await run(behaviour, minute, few);
      expect(load.whole.counts.byFate).toEqual({ [fate]: 30 });
      const held = Object.fromEntries(load.thresholds.map((one) => [one.expression, one.held]));
      expect(held).toMatchObject({ 'p99.9<500ms': false, 'max<500ms': false, 'errors<1%': true });
      expect(loadOutcome(load)).toBe('broken');
    },
  );

  test.each<[string, Behaviour]>([
    ['half of it fails', oneIn(2, { status: 500 }, 20)],
    ['all of it hangs', oneIn(1, 'hang', 20)],
    ['a restart leaves a tenth unanswered', restart(20, 30_000, 6_000)],
  ])('on a usual day: %s', async (_what, behaviour) => {
    expect(await outcomeOf(behaviour, minute, { scenario: { keeps: ['errors<1%'] } })).toBe(
      'broken',
    );
  });

  test('at the end alone, if nothing is stated', async () => {
    expect(await outcomeOf(restart(20, 9_000, 60_000), [steady(50, 10)])).toBe('unserved');
    expect(await outcomeOf(restart(20, 8_000, 1_000), [steady(50, 10)])).toBe('held');
  });

  test('also if a last step alone is not served, and nothing is stated', async () => {
    const steps = [steady(50, 10, 'first'), steady(50, 10, 'last')];
    expect(await outcomeOf(restart(20, 10_000, 60_000), steps)).toBe('unserved');
    expect(await outcomeOf(restart(20, 5_000, 5_000), steps)).toBe('held');
  });
});

describe('a soak', () => {
  const soak = (behaviour: Behaviour): Promise<RunLoad> =>
    run(behaviour, [steady(30, 120, 'hold')], { scenario: { keeps: ['drift<2x'] } });

  test('that becomes slower in its course is broken by its drift', async () => {
    const load = await soak(growth(104, 344, 120_000));
    expect(loadOutcome(load)).toBe('broken');
    const drift = load.thresholds.find(({ expression }) => expression === 'drift<2x');
    expect(drift?.measured).toBeCloseTo(332 / 116, 1);
  });

  test('that stood still in its first seconds hides nothing by that', async () => {
    const grows = growth(10, 300, 120_000);
    const cold: Behaviour = (nowMs, number) =>
      nowMs < 2_500 ? { endMs: Math.max(2_600, nowMs + 10) } : grows(nowMs, number);
    expect(loadOutcome(await soak(cold))).toBe('broken');
  });

  test.each<[string, Behaviour]>([
    ['stays as it is', delay(104)],
    ['becomes slower by less than anybody notices', growth(3, 20, 120_000)],
    ['becomes slower by half', growth(100, 150, 120_000)],
    ['is slow at times', stall(104, 7_000, 500)],
    ['becomes faster', growth(400, 50, 120_000)],
  ])('of a server that %s is held', async (_what, behaviour) => {
    expect(loadOutcome(await soak(behaviour))).toBe('held');
  });

  test('that is too short for tenths asks for none, and reports nothing of one that is stated', async () => {
    const short = [steady(30, 5)];
    expect(await outcomeOf(delay(5), short, { scenario: { keeps: ['drift<2x'] } })).toBe('held');
    expect(await outcomeOf(delay(5), short, { thresholds: ['drift<2x'] })).toBe('invalid');
  });
});

describe('a spike', () => {
  const { spike } = builtinScenarios({ usual: { 'zap.quote': 1 }, keyed: {} });
  const held = (behaviour: Behaviour): Promise<string> =>
    outcomeOf(behaviour, spike?.steps ?? [], { scenario: { keeps: spike?.keeps ?? [] } });

  test('after which a server stays slow is broken by its recovery', async () => {
    expect(await held(broken(2, 1_500, 100))).toBe('broken');
  });

  test('is broken likewise if it stood still for a second before', async () => {
    const slow = broken(5, 300, 100);
    const stalls: Behaviour = (nowMs, number) => {
      const { endMs = nowMs } = slow(nowMs, number);
      return { endMs: nowMs >= 4_000 && nowMs < 5_000 ? 5_005 : endMs };
    };
    expect(await held(stalls)).toBe('broken');
  });

  test.each<[string, Behaviour]>([
    ['knows no crowd', delay(20)],
    ['catches up within the first half of what follows', capacity(250)],
  ])('is held by a server that %s', async (_what, behaviour) => {
    expect(await held(behaviour)).toBe('held');
  });
});

describe('a search for the breakpoint', () => {
  const stairs = Array.from({ length: 6 }, (_, at) => steady(25 * (at + 1), 8, `stair ${at + 1}`));
  const search = { scenario: { endsWhenBroken: true }, thresholds: [] };

  test('reports the rate that the server keeps up with, and the step that breaks', async () => {
    const load = await run(capacity(80), stairs, search);
    expect(load.keptUpPerSecond).toBe(75);
    expect(load.breakpoint?.step).toBe(3);
  });

  test('knows a queue that is as long as an answer takes', async () => {
    const queue = capacity(80);
    const slow: Behaviour = (nowMs, number) => ({ endMs: 450 + (queue(nowMs, number).endMs ?? 0) });
    const load = await run(slow, stairs, search);
    expect([load.keptUpPerSecond, load.breakpoint?.step]).toEqual([75, 3]);
  });

  test('reports the highest rate if nothing breaks', async () => {
    const load = await run(delay(5), stairs, search);
    expect([load.keptUpPerSecond, load.breakpoint]).toEqual([150, undefined]);
  });

  test('says nothing of the rate of a stair that an abort cut short', async () => {
    const once: Behaviour = (nowMs, number) => ({ endMs: nowMs + (number === 605 ? 30 : 5) });
    const thresholds = ['max{operation:zap.quote}<25ms'];
    const scenario = { endsWhenBroken: true, abortSeconds: 1 };
    const load = await run(once, stairs, { scenario, thresholds });
    expect([load.aborted?.threshold, load.steps.length]).toEqual([thresholds[0], 3]);
    expect(load.keptUpPerSecond).toBe(50);
  });
});

describe('a threshold that stays broken', () => {
  const steps = [steady(100, 60)];

  test('ends the run after as long as its scenario allows, and what was left is not dropped', async () => {
    const wish = { thresholds: ['errors<5%'], scenario: { abortSeconds: 10 } };
    const load = await run(oneIn(2, { status: 500 }, 20), steps, wish);
    expect(load.aborted?.threshold).toBe('errors<5%');
    expect(load.aborted?.atSeconds).toBeCloseTo(11, 0);
    expect(load.whole.counts.sent).toBeLessThan(1_300);
    expect(load.generator.dropped).toBe(0);
    expect(loadOutcome(load)).toBe('broken');
  });

  test('is broken, whatever was on its way then', async () => {
    const wish = { thresholds: ['errors<1%'], scenario: { abortSeconds: 3 } };
    const once: Behaviour = (nowMs, number) =>
      number === 5 ? { endMs: nowMs + 1_500, status: 500 } : { endMs: nowMs + 1_500 };
    const load = await run(once, [steady(20, 30)], wish);
    expect(load.aborted?.threshold).toBe('errors<1%');
    expect(load.whole.counts.errors / load.whole.counts.sent).toBeLessThan(0.01);
    expect(loadOutcome(load)).toBe('broken');
  });

  test('does not, if it holds again before', async () => {
    const wish = { thresholds: ['errors<30%'], scenario: { abortSeconds: 10 } };
    const load = await run(restart(20, 0, 3_000), steps, wish);
    expect(load.aborted).toBeUndefined();
    expect(load.whole.counts.sent).toBe(6_000);
  });
});

describe('a generator that stood still', () => {
  const late = async (forMs: number): Promise<RunLoad> => {
    const time = new VirtualTime();
    time.at(time.nowMs() + 30_000, () => {
      time.busyFor(forMs);
    });
    const thresholds = ['p50<100ms', 'p99.9<100ms', 'max<100ms'];
    return run(delay(30), minute, { thresholds, time });
  };

  test('ends no run, and breaks no step, by itself', async () => {
    const stopped = (): VirtualTime => {
      const time = new VirtualTime();
      time.at(time.nowMs() + 3_000, () => {
        time.busyFor(900);
      });
      return time;
    };
    const wish = { thresholds: ['p99<300ms'], time: stopped(), scenario: { abortSeconds: 5 } };
    const load = await run(delay(36), [steady(20, 60)], wish);
    expect(load.aborted).toBeUndefined();
    expect(load.whole.counts.sent).toBe(1_200);
    const stairs = [steady(20, 8, 'stair 1'), steady(30, 8, 'stair 2')];
    const search = { ...wish, time: stopped(), scenario: { endsWhenBroken: true } };
    expect((await run(delay(36), stairs, search)).breakpoint).toBeUndefined();
  });

  test('excuses nothing of a step in which it did not', async () => {
    const time = new VirtualTime();
    time.at(time.nowMs() + 3_000, () => {
      time.busyFor(1_500);
    });
    const slow: Behaviour = (nowMs, number) => ({
      endMs: nowMs + (number > 200 && number % 12 === 0 ? 900 : 36),
    });
    const wish = { thresholds: ['p95{step:first}<100ms', 'p95{step:second}<100ms'], time };
    const load = await run(slow, [steady(20, 10, 'first'), steady(20, 10, 'second')], wish);
    expect(load.steps.map(({ counts }) => (counts.late ?? 0) > 20)).toEqual([true, false]);
    const [first, second] = load.thresholds;
    expect([first?.held, first?.onlyLate]).toEqual([false, true]);
    expect([second?.held, second?.onlyLate]).toEqual([false, undefined]);
    expect(loadOutcome(load)).toBe('broken');
  });

  test('nor does the latency of an operation that the limiter answered', async () => {
    const limited: Behaviour = (nowMs, number) =>
      number % 5 === 0 ? { endMs: nowMs + 300 } : { endMs: nowMs + 300, status: 429 };
    const wish = {
      thresholds: ['p99{operation:zap.quote}<100ms'],
      scenario: { abortSeconds: 5 },
    };
    expect((await run(limited, [steady(20, 20)], wish)).aborted).toBeUndefined();
    const expected = { ...wish, scenario: { abortSeconds: 5, expectsThrottling: true as const } };
    expect((await run(limited, [steady(20, 20)], expected)).aborted).toBeDefined();
  });

  test('leaves open what it alone may have broken, and nothing else', async () => {
    const load = await late(500);
    expect(load.thresholds.map(({ held, onlyLate }) => [held, onlyLate === true])).toEqual([
      ...[
        [true, false],
        [false, true],
        [false, true],
        [true, false],
      ],
    ]);
    expect(loadOutcome(load)).toBe('invalid');
    expect(load.invalid).toEqual([]);
  });

  test('for no time leaves nothing open', async () => {
    expect(loadOutcome(await late(0))).toBe('held');
  });
});
