import { describe, expect, test } from 'vitest';
import { latencyOf } from '../../contracts/run/load/selected-row.ts';
import { LatencyHistogram } from './latency-histogram.ts';
import { LoadAccumulator } from './load-accumulator.ts';
import { planOf, preparedFor, sampleAt, scenarioOf, steady } from './sample.testkit.ts';

const plan = planOf(scenarioOf([steady(10, 2, 'first'), steady(20, 1, 'second')]), [
  preparedFor('zap.quote'),
  preparedFor('zap.pools'),
]);

describe('what came of the requests', () => {
  const asked = [
    { step: 'second', operation: 'zap.pools' },
    { step: 'second' },
    { step: 'third', operation: 'zap.pools' },
  ];
  const accumulator = new LoadAccumulator(plan, asked);
  accumulator.sample(sampleAt(0));
  accumulator.sample(sampleAt(100, { fate: 'throttled', status: 429, endMs: 101 }));
  accumulator.sample(sampleAt(200, { fate: 'serverError', status: 500, endMs: 5_000 }));
  accumulator.sample(sampleAt(300, { fate: 'timeout', status: 0, endMs: 9_000 }));
  accumulator.sample(sampleAt(2_000, { step: 1, operation: 'zap.pools', endMs: 2_050 }));
  const [first, second] = accumulator.steps();

  test('is counted apart, step by step, against what was offered', () => {
    expect(first).toMatchObject({
      name: 'first',
      beginsSeconds: 0,
      seconds: 2,
      counts: { offered: 20, sent: 4, served: 1, errors: 1, throttled: 1, failed: 1 },
      offeredPerSecond: 10,
      admittedPerSecond: 0.5,
    });
    expect(second).toMatchObject({
      name: 'second',
      beginsSeconds: 2,
      seconds: 1,
      counts: { offered: 20, sent: 1, served: 1, errors: 0, throttled: 0, failed: 0 },
    });
  });

  test('has latencies of served answers, and of throttled ones apart', () => {
    expect(first?.latency).toMatchObject({ count: 1, worstMs: 10 });
    expect(first?.throttledLatency).toMatchObject({ count: 1, worstMs: 1 });
    expect(second).not.toHaveProperty('throttledLatency');
    expect(LatencyHistogram.decode(second?.histogram ?? '').summary()).toMatchObject({ count: 1 });
  });

  test('adds up over the run', () => {
    expect(accumulator.whole()).toMatchObject({
      counts: { offered: 40, sent: 5, served: 2, errors: 1, throttled: 1, failed: 1 },
      latency: { count: 2, worstMs: 50 },
      throttledLatency: { count: 1 },
    });
  });

  test('is reported by operation', () => {
    expect(accumulator.operations()).toMatchObject([
      { operation: 'zap.pools', api: 'zap', counts: { offered: 20, sent: 1 } },
      { operation: 'zap.quote', api: 'zap', counts: { offered: 20, sent: 4 } },
    ]);
  });

  test('errors are named by what became of them, and come after all that was served', () => {
    expect(first?.counts.byFate).toEqual({ serverError: 1, timeout: 1 });
    expect(first?.latency).toMatchObject({ count: 1, worstMs: 10 });
    expect(first?.allLatency).toEqual({ count: 3 });
    const waited = LatencyHistogram.decode(first?.errorsHistogram ?? '');
    expect(waited.summary().worstMs).toBeCloseTo(8_700, -2);
  });

  test('an operation in a step is kept apart where that is asked for', () => {
    expect(accumulator.cells().cells).toMatchObject([
      {
        ...{ step: 'second', operation: 'zap.pools', api: 'zap' },
        counts: { offered: 10, sent: 1, served: 1 },
      },
    ]);
    expect(new LoadAccumulator(plan).cells()).toEqual({});
  });

  test('is reported second by second', () => {
    for (let times = 0; times < 3; times += 1) accumulator.broken(2_000);
    expect(accumulator.moments()).toEqual([
      {
        second: 0,
        seconds: 1,
        offered: 10,
        admitted: 1,
        throttled: 1,
        errors: 2,
        byReason: { 500: 1, timeout: 1 },
        violations: 0,
        answered: 1,
        ...{ requestSeconds: 1.511, worstLagMs: 0, byLatency: [0, 0, 0, 0, 0, 0, 0, 0, 0, 1] },
        ...{ p50Ms: 10, p95Ms: 10, p99Ms: 10 },
      },
      {
        ...{ second: 1, seconds: 1, offered: 10, admitted: 0, throttled: 0, errors: 0 },
        // Two that were due before are on their way all the time, and nothing was due that could be late.
        ...{ answered: 0, violations: 0, requestSeconds: 2 },
      },
      expect.objectContaining({ second: 2, offered: 20, admitted: 1, violations: 3, p99Ms: 50 }),
    ]);
  });

  test('of a run that ended early nothing more was offered', () => {
    expect(accumulator.whole(500).counts).toMatchObject({ offered: 5, sent: 5 });
    expect(accumulator.steps(1_000)).toMatchObject([
      { seconds: 1, counts: { offered: 10 }, offeredPerSecond: 10 },
    ]);
    expect(accumulator.steps(2_500)[1]).toMatchObject({ seconds: 0.5, counts: { offered: 10 } });
    expect(accumulator.operations(500)).toMatchObject([
      { counts: { offered: 2 } },
      { counts: { offered: 4 } },
    ]);
  });
});

test('a row has the time in which its requests were on their way, and what it was made of', () => {
  const accumulator = new LoadAccumulator(plan);
  const answer = { calledMs: 102, wireMs: 110, firstByteMs: 140, endMs: 150, receivedBytes: 700 };
  accumulator.sample(sampleAt(100, answer));
  accumulator.sample(sampleAt(200, { fate: 'timeout', status: 0, endMs: 1_200 }));
  const { requestSeconds, phases, latency } = accumulator.whole();
  expect(requestSeconds).toBeCloseTo(1.048, 6);
  expect(phases).toMatchObject({ waiting: { count: 1 }, receivedBytes: 700 });
  expect(phases?.waiting.worstMs).toBeCloseTo(8, 0);
  expect(phases?.firstByte.worstMs).toBeCloseTo(30, 0);
  expect(phases?.download.worstMs).toBeCloseTo(10, 0);
  expect(latency.meanMs).toBeCloseTo(50, 0);
  expect(accumulator.operations()[0]).not.toHaveProperty('phases');
});

test('requests on their way are counted in the step in which they were so, as moments count them', () => {
  const silent = new LoadAccumulator(planOf(scenarioOf([steady(10, 2), steady(10, 3)])));
  for (let dueMs = 0; dueMs < 5_000; dueMs += 100) {
    const step = dueMs < 2_000 ? 0 : 1;
    silent.sample(sampleAt(dueMs, { step, fate: 'timeout', status: 0, endMs: dueMs + 10_000 }));
  }
  const ofSteps = silent.steps().map(({ requestSeconds }) => requestSeconds);
  expect(ofSteps.map((one) => Math.round(one ?? -1))).toEqual([21, 107]);
  const { requestSeconds: ofWhole = -1 } = silent.whole();
  const sumOf = (all: readonly { readonly requestSeconds?: number }[]): number =>
    all.reduce((sum, one) => sum + (one.requestSeconds ?? 0), 0);
  expect(ofWhole).toBeCloseTo(sumOf(silent.moments().slice(0, 5)), 3);
  expect(ofWhole).toBeCloseTo(sumOf(silent.operations()), 3);
});

test('a served answer counts in the step and second in which it came, and nowhere after the schedule', () => {
  const slow = new LoadAccumulator(plan);
  slow.sample(sampleAt(0, { endMs: 100 }));
  slow.sample(sampleAt(1_900, { endMs: 2_500 }));
  slow.sample(sampleAt(1_950, { endMs: 9_000 }));
  slow.sample(sampleAt(1_960, { fate: 'timeout', status: 0, endMs: 2_100 }));
  slow.sample(sampleAt(2_000, { step: 1, endMs: 2_050 }));
  expect(slow.steps().map(({ answered }) => answered)).toEqual([1, 2]);
  expect(slow.whole().answered).toBe(3);
  expect(slow.moments().map(({ answered }) => answered)).toEqual([1, 0, 2]);
  // What came after its end would have been in a step that was cut short.
  expect(slow.steps(2_500).map(({ answered }) => answered)).toEqual([1, undefined]);
  expect(slow.whole(2_500)).not.toHaveProperty('answered');
});

test('what was due in a warm-up counts, and is in no latency', () => {
  const warm = new LoadAccumulator(planOf(scenarioOf([steady(10, 2)], { warmUpSeconds: 1 })));
  const head = { wireMs: 100, firstByteMs: 200 };
  warm.sample(sampleAt(100, { ...head, endMs: 5_000 }));
  warm.sample(sampleAt(200, { fate: 'throttled', status: 429, endMs: 900 }));
  warm.sample(sampleAt(300, { fate: 'reset', status: 0, endMs: 7_000 }));
  warm.sample(sampleAt(1_000, { wireMs: 1_000, firstByteMs: 1_005 }));
  const row = warm.whole();
  expect(row.counts).toMatchObject({ sent: 4, served: 2, throttled: 1, failed: 1 });
  expect(row.latency).toMatchObject({ count: 1, worstMs: 10 });
  expect(row.allLatency).toMatchObject({ count: 1, worstMs: 10 });
  expect(latencyOf(row, 'max')).toBe(10);
  expect(row.phases?.firstByte).toMatchObject({ count: 1 });
  expect(row).not.toHaveProperty('throttledLatency');
  expect(warm.errors()).toHaveLength(1);
});

test('a closed loop has no time at which a request should have left, and no lag', () => {
  const closed = new LoadAccumulator(planOf(scenarioOf([steady(10, 2)], { pacer: 'saturation' })));
  closed.sample(sampleAt(0));
  expect(closed.moments()[0]).not.toHaveProperty('worstLagMs');
});

test('those that came back are offered besides the schedule', () => {
  const accumulator = new LoadAccumulator(plan);
  accumulator.sample(sampleAt(0, { fate: 'throttled', status: 429 }));
  accumulator.sample(sampleAt(500, { firstDueMs: 0 }));
  expect(accumulator.whole().counts).toMatchObject({
    offered: 41,
    sent: 2,
    served: 1,
    throttled: 1,
  });
  expect(accumulator.moments()[0]).toMatchObject({ offered: 11, admitted: 1, throttled: 1 });
});

test('a long run has a bounded number of moments, and none is lost', () => {
  const seconds = 5_000;
  const accumulator = new LoadAccumulator(planOf(scenarioOf([steady(2, seconds)])));
  for (let slot = 0; slot < 2 * seconds; slot += 1) {
    accumulator.sample(sampleAt(slot * 500, { endMs: slot * 500 + (slot % 2 === 0 ? 10 : 30) }));
  }
  const moments = accumulator.moments();
  expect(moments).toHaveLength(313);
  expect(moments[0]).toMatchObject({ seconds: 16, offered: 32, admitted: 32 });
  expect(moments[0]?.p50Ms).toBeCloseTo(10, 0);
  expect(moments[0]?.p99Ms).toBeCloseTo(30, 0);
  expect(moments.reduce((sum, { offered }) => sum + offered, 0)).toBe(2 * seconds);
  expect(moments.reduce((sum, { admitted }) => sum + admitted, 0)).toBe(2 * seconds);
});

test('a step of no requests takes its time, and has no rate', () => {
  const scenario = scenarioOf([steady(10, 1), steady(0, 5, 'rest'), steady(10, 1)]);
  expect(new LoadAccumulator(planOf(scenario)).steps()).toMatchObject([
    { counts: { offered: 10 } },
    { name: 'rest', beginsSeconds: 1, seconds: 5, counts: { offered: 0 }, offeredPerSecond: 0 },
    { beginsSeconds: 6, counts: { offered: 10 } },
  ]);
});

test('at saturation a run lasts as long as it takes, and what is sent is what is offered', () => {
  const accumulator = new LoadAccumulator(
    planOf(scenarioOf([steady(1_000, 1)], { pacer: 'saturation' })),
  );
  for (let slot = 0; slot < 1_000; slot += 1) {
    const sentMs = Math.floor(slot / 4) * 10;
    accumulator.sample(sampleAt(sentMs, { slot, endMs: sentMs + 10 }));
  }
  expect(accumulator.steps()).toMatchObject([
    { seconds: 2.5, counts: { offered: 1_000, sent: 1_000 }, offeredPerSecond: 400 },
  ]);
  expect(accumulator.moments()).toMatchObject([
    { offered: 400 },
    { offered: 400 },
    { offered: 200 },
  ]);
  // Nothing has a time at which it is due, so nothing is late.
  expect(accumulator.whole().counts).not.toHaveProperty('late');
});
