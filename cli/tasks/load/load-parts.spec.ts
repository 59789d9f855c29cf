import { expect, test } from 'vitest';
import { omit } from '../../../contracts/wire/json.ts';
import type { RunJson } from '../../../contracts/run/run.ts';
import { UnfitParts, placedParts } from '../../../load/merge/part.ts';
import { EXAMPLE_RUN } from '../../../reports/example-run.testkit.ts';
import { UsageError } from '../../exit-code.ts';
import { partLoad } from '../../load/load-part.testkit.ts';
import {
  endOfWhole,
  partOf,
  type PlacedRun,
  settingOfWhole,
  thresholdsOfWhole,
} from './load-parts.ts';

function runOf(index: number, changes: Partial<RunJson> = {}): RunJson {
  return {
    ...EXAMPLE_RUN,
    complete: true,
    notices: [],
    load: partLoad(index, 2),
    record: { id: `r${index}`, exchanges: 1, head: 'h' },
    ...changes,
  };
}

function placed(...changes: readonly Partial<RunJson>[]): readonly PlacedRun[] {
  return placedParts(
    [0, 1].map((at) => partOf(`part-${at + 1}`, `/p${at + 1}`, runOf(at + 1, changes[at]))),
  );
}

const asIs = { waivers: [], labels: {} };

test('a record of something else, or of a run that was killed, is no part', () => {
  const check = omit(runOf(1), 'load');
  expect(() => partOf('some', '/some', check)).toThrow(UsageError);
  expect(() => partOf('some', '/some', check)).toThrow(/some has nothing to merge/);
  expect(() => partOf('some', '/some', runOf(1, { record: { id: 'r' } }))).toThrow(
    /some was not judged to its end/,
  );
});

test('parts that loaded different targets are of different runs', () => {
  const target = { ...EXAMPLE_RUN.target, urls: { zap: 'http://127.0.0.1:2' } };
  expect(() => placed({}, { target })).toThrow(UnfitParts);
  expect(() => placed({}, { target })).toThrow(/another target.*zap http:\/\/127\.0\.0\.1:2/);
});

test('it counts when the schedules began, not when preparing them did', () => {
  const late = { startedAt: '2026-01-02T03:09:05Z' };
  expect(placed({ startedAt: '2026-01-02T03:04:05Z' }, late)).toHaveLength(2);
  const load = partLoad(2, 2);
  const part = { ...(load.part ?? expect.fail()), beganAtMs: 1_060_000 };
  expect(() => placed({}, { load: { ...load, part } })).toThrow(/part-2 began 60 s after part-1/);
});

test('the whole keeps what its parts agree on', () => {
  const parts = placed(
    {
      startedAt: '2026-01-02T03:04:06Z',
      labels: { commit: 'a', node: '1', only: 'here' },
      target: { ...EXAMPLE_RUN.target, credentials: ['A', 'B'] },
    },
    {
      startedAt: '2026-01-02T03:04:05Z',
      labels: { commit: 'a', node: '2' },
      target: { ...EXAMPLE_RUN.target, credentials: ['B', 'C'] },
    },
  );
  const setting = settingOfWhole(parts, { ...asIs, labels: { commit: 'b', night: '3' } });
  expect(setting.labels).toEqual({ commit: 'b', night: '3' });
  expect(settingOfWhole(parts, asIs).labels).toEqual({ commit: 'a' });
  expect(setting.startedAt).toEqual(new Date('2026-01-02T03:04:05Z'));
  expect(setting.target.credentials).toEqual(['A', 'B', 'C']);
});

test('parts that were judged by different rules are reported', () => {
  const choice = {
    ...{ only: [], skip: ['zap.*'], levels: [], failOn: 'must' as const },
    leftOut: { must: 1, should: 0, observe: 0 },
  };
  expect(() => settingOfWhole(placed({}, { choice }), asIs)).toThrow(
    /part-2 chose other rules than part-1/,
  );
  // How many were left out follows from the choice.
  const other = { ...choice, leftOut: { must: 2, should: 0, observe: 0 } };
  expect(settingOfWhole(placed({ choice }, { choice: other }), asIs).choice).toEqual({
    ...{ only: [], skip: ['zap.*'], levels: [], failOn: 'must' },
  });
});

test('thresholds of flags come before those of the configuration, and these before the parts’', () => {
  const withThresholds = (index: number, expressions: readonly string[]): Partial<RunJson> => ({
    load: {
      ...partLoad(index, 2),
      thresholds: expressions.map((expression) => ({ expression, held: true })),
    },
  });
  const parts = placed(
    withThresholds(1, ['p99<300ms', 'violations==0', 'errors<1%']),
    withThresholds(2, ['p99<300ms', 'violations==0', 'dropped==0']),
  );
  expect([...thresholdsOfWhole(parts, [], undefined)].sort()).toEqual(
    ['p99<300ms', 'violations==0', 'errors<1%', 'dropped==0'].sort(),
  );
  const written = {
    thresholds: ['errors<2%', 'p99<3s'],
    scenarios: { test: { thresholds: ['p99<2s'] }, other: { thresholds: ['p50<1ms'] } },
  };
  expect([...thresholdsOfWhole(parts, ['dropped<5'], written)].sort()).toEqual(
    ['dropped<5', 'p99<2s', 'errors<2%', 'violations==0'].sort(),
  );
});

test('the whole ended as its parts did, and what all of them say is said once', () => {
  const end = endOfWhole(
    placed(
      { notices: ['Both.', 'One alone.'], endedAt: '2026-01-02T03:05:00Z' },
      { notices: ['Both.'], endedAt: '2026-01-02T03:06:00Z', complete: false },
    ),
  );
  expect(end).toEqual({
    cutShort: true,
    endedAt: new Date('2026-01-02T03:06:00Z'),
    notices: ['Merged of the records of 2 parts: part-1, part-2.', 'Both.', 'Part 1: One alone.'],
  });
  expect(endOfWhole(placed({}, { failure: 'it fell' })).failure).toBe('Part 2: it fell');
});

test('switched off, errors of an operation that no part was served break nothing that its part added', () => {
  const load = partLoad(1, 2);
  const added = { expression: 'zap.chains:errors<100%', measured: 100, held: false };
  const parts = placed({ load: { ...load, thresholds: [added] } });
  const whole = (flags: readonly string[]): readonly string[] =>
    thresholdsOfWhole(parts, flags, undefined).filter((one) => one.startsWith('zap.chains'));
  expect(whole([])).toEqual(['zap.chains:errors<100%']);
  expect(whole(['errors<5%'])).toEqual(['zap.chains:errors<100%']);
  expect(whole(['errors<=100%'])).toEqual([]);
  expect(whole(['zap.quote:errors<=100%'])).toEqual(['zap.chains:errors<100%']);
});
