/** Long because each member of a merged run is held to what its parts say. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { omit } from '../../contracts/wire/json.ts';
import type { LoadMoment, RunLoad } from '../../contracts/run/load/load-run.ts';
import { LatencyHistogram } from '../samples/latency-histogram.ts';
import { loadOf, merge, partsOf, samplesOf, whole } from './parts.testkit.ts';
import { mergedRow } from './rows.ts';

/** Alike but for sums of times, which are rounded in each part. */
function expectSame(merged: unknown, whole: unknown): void {
  const bare = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value, (name, one: unknown) => (name === 'requestSeconds' ? 0 : one)),
    );
  expect(bare(merged)).toEqual(bare(whole));
}

function withoutPercentiles(moment: LoadMoment): LoadMoment {
  return omit(omit(omit(moment, 'p50Ms'), 'p95Ms'), 'p99Ms');
}

test('parts add up to the run, exactly, in whatever order they come', () => {
  const latency = fc.double({ min: 0, max: 5000, noNaN: true });
  const latencies = fc.array(latency, { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(latencies, fc.integer({ min: 2, max: 5 }), (some, partCount) => {
      const samples = samplesOf(some);
      const one = loadOf(whole, samples);
      const merged = merge(partsOf(partCount, samples).reverse());
      // What went through a histogram's text is known to within its three digits: so is the whole here.
      const { operations, steps } = one;
      expectSame(merged.whole, mergedRow([one.whole]));
      expect(merged.whole.counts).toEqual(one.whole.counts);
      expectSame(
        merged.operations,
        operations.map((row) => ({ ...row, ...mergedRow([row]) })),
      );
      expectSame(
        merged.cells,
        one.cells?.map((row) => ({ ...row, ...mergedRow([row]) })),
      );
      expect(merged.cells).toHaveLength(1);
      expectSame(
        merged.steps,
        steps.map((step) => ({ ...step, ...mergedRow([step]), violations: partCount })),
      );
      expectSame(
        merged.moments,
        one.moments.map((moment) => withoutPercentiles(moment)),
      );
      expect(merged.whole.requestSeconds).toBeCloseTo(one.whole.requestSeconds ?? -1, 4);
      expect(merged.errors).toEqual(one.errors);
      expect(merged.judged).toEqual({ answers: 400, of: 400, kept: 2 * partCount });
    }),
    { numRuns: 15 },
  );
});

test('percentiles are read from the sum, not averaged', () => {
  const parts = partsOf(2, samplesOf([10]));
  const [quick, slow] = [LatencyHistogram.create(), LatencyHistogram.create()];
  for (let at = 0; at < 990; at += 1) quick.record(10);
  for (let at = 0; at < 10; at += 1) slow.record(1000);
  const [one, other] = parts.map((part, at) => {
    const histogram = (at === 0 ? quick : slow).encode();
    return { ...part, load: { ...part.load, whole: { ...part.load.whole, histogram } } };
  });
  if (one === undefined || other === undefined) expect.fail();
  const { latency } = merge([one, other]).whole;
  expect(latency.count).toBe(1000);
  expect(latency.p95Ms).toBeCloseTo(10, 1);
  expect(latency.p999Ms).toBeGreaterThan(990);
});

test('the generator is as good as its worst part, and what it left out is added up', () => {
  const parts = partsOf(3, samplesOf([10])).map((part, at) => ({
    ...part,
    load: {
      ...part.load,
      generator: { ...part.load.generator, fireLagP99Ms: 5 * at, eventLoopUtilization: 0.1 * at },
      invalid: at === 1 ? ['Nothing was sent.'] : [],
    },
  }));
  const merged = merge(parts, ({ generator }) => ({
    thresholds: [{ expression: 'dropped==0', measured: generator.dropped, held: false }],
    invalid: ['and so on.'],
  }));
  expect(merged.generator).toEqual({
    fireLagP99Ms: 10,
    eventLoopUtilization: 0.2,
    waitedAtCeiling: 3,
    dropped: 3,
    cpuSeconds: 6,
  });
  expect(merged.thresholds).toEqual([{ expression: 'dropped==0', measured: 3, held: false }]);
  expect(merged.invalid).toEqual(['Part 2: Nothing was sent.', 'and so on.']);
  expect(merged.machines).toHaveLength(3);
  expect(merged.part).toBeUndefined();
});

test('violations are counted together, the first being that of the earliest step', () => {
  const violation = (firstStep: number, count: number): RunLoad['violations'][number] => ({
    rule: 'zap.pools.within-limit',
    count,
    firstStep,
    firstExchange: 'x00003',
    bySteps: [
      { judged: 10, broken: firstStep === 0 ? count : 0 },
      { judged: 10, broken: firstStep === 1 ? count : 0 },
    ],
  });
  const parts = partsOf(2, samplesOf([10])).map((part, at) => ({
    ...part,
    load: { ...part.load, violations: [violation(1 - at, 2 + at)] },
  }));
  expect(merge(parts).violations).toEqual([
    {
      rule: 'zap.pools.within-limit',
      count: 5,
      firstStep: 0,
      firstExchange: 'p2-x00003',
      bySteps: [
        { judged: 20, broken: 3 },
        { judged: 20, broken: 2 },
      ],
    },
  ]);
});

test('a violation whose exchange nobody kept names none', () => {
  const bySteps = [{ judged: 1, broken: 1 }];
  const violations = [{ rule: 'r', count: 1, firstStep: 0, firstExchange: '', bySteps }];
  const parts = partsOf(2, samplesOf([10])).map((part) => ({
    ...part,
    load: { ...part.load, violations },
  }));
  expect(merge(parts).violations[0]?.firstExchange).toBe('');
});

test('a search for the breakpoint ends if the first of its parts broke', () => {
  const found = [
    { step: 1, thresholds: ['p99<1s'] },
    { step: 0, thresholds: ['errors<1%'] },
    { step: 0, thresholds: ['errors<1%', 'p99<1s'] },
  ];
  const parts = partsOf(3, samplesOf([10])).map((part, at) => ({
    ...part,
    load: {
      ...part.load,
      breakpoint: found[at] ?? expect.fail(),
      thresholds: (found[at]?.thresholds ?? []).map((expression) => ({
        expression,
        measured: 7 + at,
        held: false,
      })),
    },
  }));
  const merged = merge(parts, () => ({
    thresholds: ['p99<1s', 'errors<1%', 'rate>1/s'].map((expression) => ({
      ...{ expression, measured: 0, held: true },
    })),
    invalid: [],
  }));
  expect(merged.breakpoint).toEqual({ step: 0, thresholds: ['errors<1%', 'p99<1s'] });
  expect(merged.thresholds).toEqual([
    { expression: 'p99<1s', measured: 9, held: false },
    { expression: 'errors<1%', measured: 8, held: false },
    { expression: 'rate>1/s', measured: 0, held: true },
  ]);
  expect(merge(partsOf(2, samplesOf([10]))).breakpoint).toBeUndefined();
});

test('the whole keeps up with the rate of a step that all parts sent to its end', () => {
  const served = samplesOf([10]).map((sample) => ({ ...sample, fate: 'served' as const }));
  const parts = partsOf(2, served).map((part) => ({
    ...part,
    load: { ...part.load, keptUpPerSecond: 30 },
  }));
  expect(merge(parts).keptUpPerSecond).toBe(60);
  const cut = parts.map((part, at) => ({
    ...part,
    load: {
      ...part.load,
      steps: part.load.steps.map((step) =>
        step.name === 'high' ? { ...step, seconds: 0.1 * (1 + at) } : step,
      ),
    },
  }));
  expect(merge(cut).keptUpPerSecond).toBe(20);
});

test('as many moments as there may be are added up', () => {
  const [one, two] = partsOf(2, samplesOf([10]));
  if (one === undefined || two === undefined) expect.fail();
  const [moment] = one.load.moments;
  if (moment === undefined) expect.fail();
  const moments = Array.from({ length: 200_000 }, () => moment);
  const long = { ...one, load: { ...one.load, moments } };
  const [first] = merge([long, two]).moments;
  expect(first?.offered).toBe(200_000 * moment.offered + (two.load.moments[0]?.offered ?? 0));
});

test('of a part of an earlier version nobody knows how long its errors took, nor what they were', () => {
  const [first, ...others] = partsOf(2, samplesOf([10]));
  if (first === undefined) expect.fail();
  const row = omit(first.load.whole, 'allLatency');
  const earlier = { ...row, counts: omit(row.counts, 'byFate') };
  const old = { ...first, load: { ...first.load, whole: earlier } };
  const merged = merge([old, ...others]);
  expect(merged.whole.allLatency).toBeUndefined();
  expect(merged.whole.counts.byFate).toBeUndefined();
  expect(merged.whole.counts.errors).toBe(merge([first, ...others]).whole.counts.errors);
});

test('what ended a part is broken in the whole, as that part had measured it', () => {
  const broken = { expression: 'errors<1%', measured: 3, held: false };
  const aborted = { threshold: broken.expression, atSeconds: 8 };
  const parts = partsOf(2, samplesOf([10])).map((part, at) => ({
    ...part,
    load: { ...part.load, ...(at === 0 && { thresholds: [broken], aborted }) },
  }));
  const whole = { thresholds: [{ ...broken, measured: 0.7, held: true }], invalid: [] };
  expect(merge(parts, () => whole)).toMatchObject({ aborted, thresholds: [broken] });
});
