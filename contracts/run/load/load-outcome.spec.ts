import { expect, test } from 'vitest';
import type { BaselineRow } from './load-trend.ts';
import {
  isOpen,
  type LoadOutcome,
  loadOutcome,
  whyLoadOpen,
  whyUndecided,
} from './load-outcome.ts';
import type { LoadCounts, LoadThreshold, RunLoad } from './load-run.ts';
import { EXAMPLE_LOAD, loadRow } from './load-run.testkit.ts';

const p99 = { expression: 'p99<300ms', measured: 400, held: false };
const violations = { expression: 'violations==0', measured: 2, held: false };
const unjudged = { expression: 'violations==0', held: false };
const good = { expression: 'dropped==0', measured: 0, held: true };
const slower = { expression: 'slower==0', measured: 1, held: false };
const uncompared = { expression: 'slower==0', held: false };
const late = ['One request in 100 left too late.'];

const errors = { expression: 'errors<0.5%', measured: 4, held: false };
const ofOne = { expression: 'zap.quote:failed<0.5%', measured: 4, held: false };
const unthrottled = { expression: 'throttled==0', measured: 0, held: true };
const held99 = { ...p99, held: true };
const dropped = { expression: 'dropped==0', measured: 3, held: false };
const limiter = { throttled: 359, sent: 418, fromPerSecond: 20 };
const ofOperation = (some: Partial<LoadCounts>): RunLoad['operations'][number] => ({
  ...{ ...loadRow(some), operation: 'zap.quote', api: 'zap' },
});
const { counts } = loadRow({ served: 0, errors: 5 });

test.each<[LoadOutcome, readonly LoadThreshold[], readonly string[], Partial<RunLoad>?]>([
  ['held', [good], []],
  ['held', [], []],
  ['broken', [good, p99], []],
  // Nothing is known of what was not measured.
  ['invalid', [unjudged], []],
  // The figures of a run of which more than times is in doubt.
  ['invalid', [good], late],
  // The latency may be the generator's own.
  ['invalid', [p99], late],
  ['invalid', [p99], late, { invalidOnly: 'timing' }],
  ['invalid', [held99], late, { invalidOnly: 'timing' }],
  ['invalid', [{ ...held99, expression: 'zap.quote:rate>5/s' }], late, { invalidOnly: 'timing' }],
  // Answers are what they are whenever they were asked for.
  ['broken', [violations], late],
  ['broken', [errors], late],
  ['broken', [errors, p99], late, { invalidOnly: 'timing' }],
  ['broken', [ofOne], late, { invalidOnly: 'timing' }],
  ['held', [{ ...errors, held: true }, good], late, { invalidOnly: 'timing' }],
  ['invalid', [unjudged], late],
  // What the generator never sent is no doing of the target.
  ['invalid', [dropped], []],
  ['broken', [dropped, errors], late],
  // Requests that left late may be why it is broken.
  ['invalid', [{ ...p99, onlyLate: true }], []],
  ['broken', [{ ...p99, onlyLate: true }, errors], []],
  ['broken', [slower], []],
  // A comparison that showed nothing neither passes nor breaks anything.
  ['undecided', [good, uncompared], []],
  ['broken', [p99, uncompared], []],
  ['invalid', [uncompared], late],
  ['unserved', [good], [], { whole: { ...loadRow(), counts } }],
  ['broken', [errors], [], { whole: { ...loadRow(), counts } }],
  ['limited', [good], [], { limiter }],
  ['limited', [p99, held99], [], { limiter }],
  ['broken', [violations], [], { limiter }],
  ['broken', [errors], [], { limiter }],
  ['broken', [{ expression: p99.expression, held: false, beyond: true }], late],
  ['unserved', [good], [], { operations: [ofOperation({ served: 0, errors: 1 })] }],
  ['unserved', [good], [], { unprepared: ['zap.quote'] }],
  ['unserved', [good], [], { operations: [ofOperation({ served: 0, throttled: 5 })] }],
  ['held', [good], [], { operations: [ofOperation({ served: 0, throttled: 4 })] }],
  // Whether throttled clients get through is not known if none was.
  ['unreached', [good], [], { comesBack: true, whole: loadRow() }],
  ['held', [good], [], { comesBack: true, whole: loadRow({ throttled: 1 }) }],
  ['held', [good, unthrottled], [], { comesBack: true, whole: loadRow() }],
  ['broken', [errors], [], { comesBack: true, whole: loadRow() }],
])('a load run is %s: %j, %j, %j', (outcome, thresholds, invalid, more = {}) => {
  expect(loadOutcome({ thresholds, invalid, ...more })).toBe(outcome);
});

test('a threshold is open if nothing is known of it', () => {
  const timing = { thresholds: [], invalid: late, invalidOnly: 'timing' } as const;
  const open = (one: LoadThreshold, load: Parameters<typeof isOpen>[1]): boolean =>
    isOpen(one, load);
  expect([held99, p99, good, errors].map((one) => open(one, timing))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  const spoilt = { thresholds: [], invalid: late };
  expect([good, errors].map((one) => open(one, spoilt))).toEqual([true, false]);
  expect(open(dropped, { thresholds: [], invalid: [] })).toBe(true);
});

test('what a search for the breakpoint ended with is found, not broken; wrong answers are', () => {
  const breakpoint = { step: 4, thresholds: [p99.expression, violations.expression] };
  expect(loadOutcome({ thresholds: [p99, good], invalid: [], breakpoint })).toBe('held');
  expect(loadOutcome({ thresholds: [p99, violations], invalid: [], breakpoint })).toBe('broken');
  const other = { expression: 'errors<1%', measured: 3, held: false };
  expect(loadOutcome({ thresholds: [p99, other], invalid: [], breakpoint })).toBe('broken');
});

test('what could not be compared says why', () => {
  const refused = ['The baseline cannot be compared: its scenario was spike, not average.'];
  const baseline = {
    ...{ run: 'then', startedAt: '2026-01-01T00:00:00Z', notes: [], confidence: 0.95, rows: [] },
  };
  expect(whyUndecided({ baseline: { ...baseline, refused } })).toBe(refused[0]);
  const short = { percentile: 'p50', figure: 'absolute', method: 'batches' } as const;
  const rowsOf = (verdict: 'slower' | 'unknown'): BaselineRow[] => [
    { ...short, verdict, baselineMs: 20, runMs: 30 },
  ];
  const reasonWith = (rows: BaselineRow[]): string =>
    whyUndecided({ baseline: { ...baseline, refused: [], rows } });
  expect(reasonWith(rowsOf('slower'))).toContain('or the machine');
  expect(reasonWith(rowsOf('unknown'))).toContain('too short');
});

test('a threshold of which nothing is known for the limiter says how much was throttled', () => {
  const recovery = { expression: 'recovery<2x', held: false };
  const why = (one: LoadThreshold): string | undefined =>
    whyLoadOpen({ ...EXAMPLE_LOAD, thresholds: [one], invalid: [] });
  expect(why({ ...recovery, limiter: { throttled: 42, sent: 96 } })).toMatch(
    /recovery<2x is not known, as 42 of 96 requests were throttled/,
  );
  expect(why(recovery)).toMatch(/nothing was measured of recovery<2x/);
});
