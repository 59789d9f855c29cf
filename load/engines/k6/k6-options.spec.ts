import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseThreshold } from '../../../contracts/run/load/threshold.ts';
import { scheduleOf, type Schedule } from '../../scenarios/schedule.ts';
import type { LoadStep } from '../../scenarios/scenario.ts';
import { scenarioOf } from './k6.testkit.ts';
import { k6Options, vusFor } from './k6-options.ts';

interface K6Scenario {
  readonly executor: string;
  readonly startTime: string;
  readonly timeUnit: string;
  readonly startRate?: number;
  readonly stages?: readonly { readonly target: number; readonly duration: string }[];
}

const demands = { vus: { ready: [5, 5, 5, 5], most: 10 }, timeoutMs: 1000 };
const nanoseconds = (text: string | undefined): number => Number(/^(\d+)ns$/.exec(text ?? '')?.[1]);
const unitNs = (text: string): number => Number(/^(\d+)s$/.exec(text)?.[1]) * 1e9;

/** When k6 starts the iterations of a scenario, in ms: `cal` of lib/executor/ramping_arrival_rate.go, k6 1.8. */
function rampingMs({ startRate = 0, timeUnit, stages = [] }: K6Scenario): number[] {
  const unit = unitNs(timeUnit);
  const starts: number[] = [];
  let [from, done, end, begin, number] = [startRate / unit, 0, 0, 0, 1];
  for (const stage of stages) {
    const [to, long] = [stage.target / unit, nanoseconds(stage.duration)];
    end += long * ((to - from) / 2 + from);
    for (; number <= end; number += 1) {
      const within =
        from === to
          ? (number - done) / to
          : (from * long -
              Math.sqrt(long * (from * from * long + 2 * (number - done) * (to - from)))) /
            (from - to);
      starts.push((Math.trunc(within) + begin) / 1e6);
    }
    [done, from, begin] = [end, to, begin + long];
  }
  return starts;
}

/** When k6 would start the iterations of all steps. */
function startsOf(steps: readonly LoadStep[], schedule: Schedule): number[] {
  const { scenarios } = k6Options(scenarioOf(steps), schedule, demands) as {
    scenarios: Record<string, K6Scenario>;
  };
  return Object.values(scenarios).flatMap((scenario) => {
    expect(scenario.executor).toBe('ramping-arrival-rate');
    return rampingMs(scenario).map((ms) => ms + nanoseconds(scenario.startTime) / 1e6);
  });
}

const rate = fc.oneof(
  fc.integer({ min: 0, max: 300 }),
  fc.double({ min: 0.01, max: 300, noNaN: true }),
);
const step = fc
  .record({
    seconds: fc.oneof(
      fc.integer({ min: 1, max: 20 }),
      fc.double({ min: 0.1, max: 20, noNaN: true }),
    ),
    fromPerSecond: rate,
    toPerSecond: rate,
    isConstant: fc.boolean(),
  })
  .map(({ isConstant, toPerSecond, ...one }): LoadStep => ({
    name: 's',
    ...one,
    toPerSecond: isConstant ? one.fromPerSecond : toPerSecond,
  }));

test('k6 starts one iteration for each slot, when it is due', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 4 }), (steps) => {
      const schedule = scheduleOf(scenarioOf(steps));
      // A last slot that is due at the very end of a ramp comes to nothing by the rounding of rates.
      for (const { fromPerSecond: from, toPerSecond: to, seconds } of steps) {
        fc.pre((((from + to) / 2) * seconds) % 1 > 1e-3 || from <= to);
      }
      const starts = startsOf(steps, schedule);
      expect(starts).toHaveLength(schedule.slots);
      for (const [slot, ms] of starts.entries()) {
        const dueMs = schedule.dueMs(slot);
        // Rates are rounded, which shows the more the lower the rate is at that time.
        const mostMs = Math.max(0.1, (dueMs - schedule.dueMs(Math.max(0, slot - 1))) / 1000);
        if (Math.abs(ms - dueMs) > mostMs) expect(ms).toBe(dueMs);
      }
    }),
    { numRuns: 200 },
  );
});

test('a long ramp comes out even as well', () => {
  const steps = [{ name: 'ramp', seconds: 900, fromPerSecond: 0.1, toPerSecond: 10 }];
  const schedule = scheduleOf(scenarioOf(steps, { ceilings: { requests: 1e6, seconds: 1e4 } }));
  const starts = startsOf(steps, schedule);
  expect(starts).toHaveLength(schedule.slots);
  expect(starts.at(-1)).toBeCloseTo(schedule.dueMs(schedule.slots - 1), 1);
});

test('steps without a slot are left out', () => {
  const steps = [
    { name: 'none', seconds: 3, fromPerSecond: 0, toPerSecond: 0 },
    { name: 'hold', seconds: 3, fromPerSecond: 10, toPerSecond: 10 },
  ];
  const schedule = scheduleOf(scenarioOf(steps));
  const starts = startsOf(steps, schedule);
  expect(starts).toHaveLength(30);
  expect(starts[0]).toBeCloseTo(3000, 3);
});

test('what k6 keeps of samples is little, and its thresholds are those of the user', () => {
  const schedule = scheduleOf(
    scenarioOf([{ name: 's', seconds: 1, fromPerSecond: 5, toPerSecond: 5 }]),
  );
  const thresholds = [parseThreshold('violations==0')];
  const options = k6Options(
    scenarioOf([{ name: 's', seconds: 1, fromPerSecond: 5, toPerSecond: 5 }]),
    schedule,
    { ...demands, thresholds },
  );
  expect(options.systemTags).toEqual(['status', 'name', 'scenario', 'check', 'error']);
  expect(options.thresholds).toEqual({ violations: ['count==0'] });
});

test('as many VUs stand ready as the answers before the run ask for, within bounds', () => {
  const scenario = scenarioOf([{ name: 's', seconds: 9, fromPerSecond: 0, toPerSecond: 100 }]);
  const ready = (answerMs?: number, parts = 1): number | undefined => {
    const job = { scenario, connections: 1_000, timeoutMs: 10_000 };
    return vusFor(answerMs === undefined ? job : { ...job, answerMs }, parts).ready[0];
  };
  expect([1, 25, 60, 125, 9_000].map((ms) => ready(ms))).toEqual([21, 21, 25, 51, 51]);
  // Nobody knows what they take, as of a cluster.
  expect(ready()).toBe(51);
  expect(ready(1, 30)).toBe(30);
});
