/** Long because what is added up and what is refused is tried on the same parts. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { omit } from '../../contracts/wire/json.ts';
import type { LoadMoment, RunLoad } from '../../contracts/run/load/load-run.ts';
import { parseThreshold, type Threshold } from '../../contracts/run/load/threshold.ts';
import type { LoadJob } from '../engines/engine.ts';
import type { Sample } from '../engines/load-sink.ts';
import { LatencyHistogram } from '../samples/latency-histogram.ts';
import { LoadAccumulator } from '../samples/load-accumulator.ts';
import { planOf, preparedFor, sampleAt, scenarioOf, steady } from '../samples/sample.testkit.ts';
import { planDigest } from '../engines/plan-digest.ts';
import { partOfSchedule } from '../scenarios/segment.ts';
import { type Decided, mergeLoads } from './merge.ts';
import { heldAgainst, measuredOf } from '../thresholds.ts';
import { mergedRow } from './rows.ts';
import { type LoadPart, placedParts, UnfitParts } from './part.ts';

const scenario = scenarioOf([steady(20, 5, 'low'), steady(60, 5, 'high')]);
const requests = [preparedFor('zap.quote'), preparedFor('zap.pools'), preparedFor('zap.quote')];
const whole = planOf(scenario, requests);
const machine = {
  platform: 'linux',
  arch: 'x64',
  cpuModel: 'some',
  cores: 2,
  memoryBytes: 1,
  node: '20',
};
const decide = (): Decided => ({ thresholds: [], invalid: [] });

function merge(
  parts: readonly LoadPart[],
  decideOn: (load: RunLoad) => Decided = decide,
  held: readonly Threshold[] = [],
): RunLoad {
  return mergeLoads(placedParts(parts), held, decideOn);
}

/** What a run came to that got these samples. */
function loadOf(
  job: Pick<LoadJob, 'scenario' | 'schedule' | 'requests' | 'choose'>,
  samples: readonly Sample[],
  changes: Partial<RunLoad> = {},
): RunLoad {
  const accumulator = new LoadAccumulator(job, [{ step: 'high', operation: 'zap.quote' }]);
  for (const sample of samples) accumulator.sample(sample);
  return {
    scenario: 'test',
    engine: { name: 'open-loop', version: '1' },
    whole: accumulator.whole(),
    steps: accumulator
      .steps()
      .map((step) => ({ ...step, judged: step.counts.sent, violations: 1 })),
    operations: accumulator.operations(),
    ...accumulator.cells(),
    moments: accumulator.moments(),
    judged: { answers: samples.length, of: samples.length, kept: 2 },
    violations: [],
    thresholds: [],
    generator: { fireLagP99Ms: 1, waitedAtCeiling: 1, dropped: 1, cpuSeconds: 2 },
    invalid: [],
    machine,
    ...changes,
  };
}

/** A sample of each slot, of the given latencies and kinds in turn. */
function samplesOf(latencies: readonly number[]): Sample[] {
  return Array.from({ length: whole.schedule.slots }, (_, slot) => {
    const dueMs = whole.schedule.dueMs(slot);
    const latency = latencies[slot % latencies.length] ?? 0;
    const fate = slot % 7 === 0 ? 'throttled' : slot % 11 === 0 ? 'serverError' : 'served';
    return sampleAt(dueMs, {
      slot,
      step: whole.schedule.stepOf(slot),
      operation: whole.choose(slot).operation,
      endMs: dueMs + latency,
      fate,
    });
  });
}

/** The parts of a run with these samples. */
function partsOf(partCount: number, samples: readonly Sample[]): LoadPart[] {
  return Array.from({ length: partCount }, (_, at): LoadPart => {
    const segment = { index: at + 1, of: partCount };
    const { schedule, wholeSlot } = partOfSchedule(whole.schedule, segment);
    const job = { ...whole, schedule, choose: (slot: number) => whole.choose(wholeSlot(slot)) };
    const slots = new Set(Array.from({ length: schedule.slots }, (_, slot) => wholeSlot(slot)));
    const own = samples.filter(({ slot }) => slots.has(slot));
    const part = { ...segment, plan: planDigest(whole) };
    const load = loadOf(job, own, { part });
    const name = `part-${at + 1}`;
    return { name, startedAtMs: 1e12 + 100 * at, seed: 7, contract: 'c', target: 't', load };
  });
}

function withoutPercentiles(moment: LoadMoment): LoadMoment {
  const { second, seconds, offered, admitted, throttled, errors, violations } = moment;
  return { second, seconds, offered, admitted, throttled, errors, violations };
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
      expect(merged.whole).toEqual(mergedRow([one.whole]));
      expect(merged.whole.counts).toEqual(one.whole.counts);
      expect(merged.operations).toEqual(operations.map((row) => ({ ...row, ...mergedRow([row]) })));
      expect(merged.cells).toEqual(one.cells?.map((row) => ({ ...row, ...mergedRow([row]) })));
      expect(merged.cells).toHaveLength(1);
      expect(merged.steps).toEqual(
        steps.map((step) => ({ ...step, ...mergedRow([step]), violations: partCount })),
      );
      expect(merged.moments).toEqual(one.moments.map((moment) => withoutPercentiles(moment)));
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

test('a search for the breakpoint ends where the first of its parts broke', () => {
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

describe('what is refused', () => {
  const parts = partsOf(3, samplesOf([10]));
  const [one, two, three] = parts;
  if (one === undefined || two === undefined || three === undefined) throw new Error('no parts');
  const without = (changes: Partial<LoadPart>, load: Partial<RunLoad> = {}): LoadPart[] => [
    one,
    { ...two, ...changes, load: { ...two.load, ...load } },
    three,
  ];
  const { part, ...alone } = two.load;
  expect(part?.index).toBe(2);
  const plan = one.load.part?.plan ?? '';

  test.each([
    ['a missing one', [one, three], /part 2 of 3 is missing/],
    [
      'a doubled one',
      [one, two, three, { ...two, name: 'copy' }],
      /part 2 .*more than once: part-2, copy/,
    ],
    ['another seed', without({ seed: 8 }), /part-2 has another seed than part-1: 8, not 7/],
    ['another contract', without({ contract: 'd' }), /part-2 has another contract/],
    ['another target', without({ target: 'u' }), /another target than part-1: u, not t/],
    ['another scenario', without({}, { scenario: 'soak' }), /another scenario.*: soak, not test/],
    ['another plan', without({}, { part: { index: 2, of: 3, plan: 'p' } }), /another plan/],
    ['another cut', without({}, { part: { index: 2, of: 4, plan } }), /another number of parts/],
    [
      'another engine',
      without({}, { engine: { name: 'k6', version: '1.8.1' } }),
      /another engine.*k6 1\.8\.1/,
    ],
    [
      'a late one',
      without({ startedAtMs: 1e12 + 60_000 }),
      /part-2 began 60 s after part-1, and 5 s is/,
    ],
    [
      'one beyond the last',
      [one, two, three, { ...three, load: { ...three.load, part: { index: 4, of: 3, plan } } }],
      /part-3 is part 4 of 3, which there is not/,
    ],
    [
      'more than there can be',
      [{ ...one, load: { ...one.load, part: { index: 1, of: 4e9, plan } } }],
      /1000 parts at the most, not 4000000000/,
    ],
    [
      'rounds',
      without(
        {},
        { rounds: [{ target: one.load.whole.latency, control: one.load.whole.latency }] },
      ),
      /part-2 ran in rounds/,
    ],
    ['a whole run', [one, { ...two, load: alone }, three], /part-2 is a whole run/],
    ['nothing', [], /there are none/],
  ])('%s', (_, given, message) => {
    expect(() => merge(given)).toThrow(UnfitParts);
    expect(() => merge(given)).toThrow(message);
  });

  test('no part, where all is well', () => {
    expect(merge(parts).whole.counts.sent).toBe(400);
  });

  test('what is no histogram', () => {
    const odd = { ...one, load: { ...one.load, whole: { ...one.load.whole, histogram: 'AAAA' } } };
    expect(() => merge([odd, two, three])).toThrow(/no latency histogram/);
  });
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

test('parts that measured the limiter do so together, unless the whole is held to how much there may be', () => {
  const parts = partsOf(2, samplesOf([10])).map((part) => ({
    ...part,
    load: { ...part.load, limiter: { throttled: 9, sent: 50, fromPerSecond: 10 } },
  }));
  const { limiter, whole: all } = merge(parts);
  expect(limiter).toMatchObject({ throttled: all.counts.throttled, sent: all.counts.sent });
  expect(merge(parts, decide, [parseThreshold('throttled<90%')]).limiter).toBeUndefined();
  // Of an operation it is told by whatever threshold names it.
  const [name = ''] = parts[0]?.load.operations.map(({ operation }) => operation) ?? [];
  const rate = (load: RunLoad): Decided => ({
    thresholds: [
      heldAgainst(
        parseThreshold(`rate{operation:${name}}>0/s`),
        measuredOf(load, () => true),
      ),
    ],
    invalid: [],
  });
  expect(merge(parts, rate).thresholds[0]).toMatchObject({ held: false });
  const expected = parts.map(({ load, ...part }) => ({
    ...part,
    load: { ...omit(load, 'limiter'), mayThrottle: true as const },
  }));
  expect(merge(expected, rate).thresholds[0]).toMatchObject({ held: true });
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
