import { describe, expect, test } from 'vitest';
import type {
  BaselineRow,
  LoadBaseline,
  LoadTrend,
  TrendSeries,
  TrendShift,
} from '../../contracts/run/load/load-trend.ts';
import { slowerCount } from './slower.ts';

const SHIFT: TrendShift = {
  direction: 'slower',
  since: '2026-02-20T02:00:00Z',
  toldBy: '2026-02-22T02:00:00Z',
  isNew: true,
  stands: true,
  size: { percent: 10, least: 6, greatest: 14 },
  cause: 'target',
};

function seriesOf(changes: Partial<TrendSeries> = {}): TrendSeries {
  return {
    ...{ percentile: 'p50', figure: 'ratio', verdict: 'steady', shifts: [], asides: [] },
    ...{ nights: 25, nightsWatched: 25, valuesMs: [], ranges: [] },
    ...changes,
  };
}

function trendOf(series: readonly TrendSeries[], refused: readonly string[] = []): LoadTrend {
  return {
    ...{ nights: [], refused, leftOut: [], leftOutMore: 0, notes: [] },
    ...{ falseAlarms: 0.05, firstLook: 20, leastEffectPercent: 5, series },
  };
}

function slowerBy(
  changes: Partial<TrendShift>,
  verdict: 'slower' | 'faster' = 'slower',
): LoadTrend {
  const shifts = [{ ...SHIFT, ...changes }];
  return trendOf([seriesOf({ verdict, nightsWatched: 4, shifts }), seriesOf()]);
}

function baselineOf(
  rows: readonly (Pick<BaselineRow, 'verdict' | 'figure' | 'cause'> & Partial<BaselineRow>)[],
  refused: readonly string[] = [],
): LoadBaseline {
  return {
    ...{ run: 'then', startedAt: SHIFT.since, refused, notes: [], confidence: 0.95 },
    rows: rows.map((row) => ({
      ...{ percentile: 'p50', baselineMs: 20, runMs: 24 },
      method: row.figure === 'ratio' ? 'rounds' : 'batches',
      ...row,
    })),
  };
}

describe('of a trend', () => {
  test('what stands counts, whoever reported it, also if no control was measured', () => {
    expect(slowerCount({ trend: slowerBy({ isNew: false }) })).toEqual({ least: 1, most: 1 });
    expect(slowerCount({ trend: slowerBy({}) })).toEqual({ least: 1, most: 1 });
    expect(slowerCount({ trend: slowerBy({ cause: 'unknown' }) })).toEqual({ least: 1, most: 1 });
  });

  test.each<[string, LoadTrend]>([
    ['nothing has changed', trendOf([seriesOf()])],
    ['it has come back, or was accepted', slowerBy({ stands: false })],
    ['it became faster', slowerBy({ direction: 'faster' }, 'faster')],
    ['it was the control that changed', slowerBy({ cause: 'control' })],
    ['the milliseconds alone moved', trendOf([seriesOf({ asides: [SHIFT] })])],
    [
      'a change was followed by one of the control',
      trendOf([
        seriesOf({
          verdict: 'slower',
          shifts: [
            { ...SHIFT, stands: false },
            { ...SHIFT, direction: 'faster', cause: 'control' },
          ],
        }),
      ]),
    ],
  ])('nothing counts if %s', (_what, trend) => {
    expect(slowerCount({ trend })).toEqual({ least: 0, most: 0 });
  });

  test('a jump counts once it is known, and may count before', () => {
    const jumping = (isKnown: boolean): LoadTrend =>
      trendOf([seriesOf({ jump: { since: SHIFT.since, percent: 900, isKnown } })]);
    expect(slowerCount({ trend: jumping(true) })).toEqual({ least: 1, most: 1 });
    expect(slowerCount({ trend: jumping(false) })).toEqual({ least: 0, most: 1 });
  });

  test('too few nights say nothing yet', () => {
    const young = seriesOf({ verdict: 'unwatched', nights: 7, nightsWatched: 7 });
    expect(slowerCount({ trend: trendOf([young]) })).toBeUndefined();
    expect(slowerCount({ trend: trendOf([young, seriesOf()]) })).toEqual({ least: 0, most: 0 });
    expect(slowerCount({})).toBeUndefined();
  });
});

describe('of a baseline', () => {
  test('rows beside a control count for certain, others may be the machine', () => {
    const baseline = baselineOf([
      { verdict: 'slower', figure: 'ratio' },
      { verdict: 'slower', figure: 'absolute' },
      { verdict: 'slower', figure: 'absolute' },
      { verdict: 'faster', figure: 'ratio' },
      { verdict: 'slower', figure: 'ratio', cause: 'control' },
    ]);
    expect(slowerCount({ baseline })).toEqual({ least: 1, most: 3 });
    const inRounds = baselineOf([{ verdict: 'slower', figure: 'absolute', method: 'rounds' }]);
    expect(slowerCount({ baseline: inRounds })).toEqual({ least: 1, most: 1 });
  });

  test('runs that are too short are not compared', () => {
    const unknown = { verdict: 'unknown', figure: 'absolute' } as const;
    expect(slowerCount({ baseline: baselineOf([unknown]) })).toEqual({ least: 0, most: Infinity });
    const even = { verdict: 'no-difference', figure: 'absolute' } as const;
    expect(slowerCount({ baseline: baselineOf([unknown, even]) })).toEqual({ least: 0, most: 0 });
  });

  test('what too few answers took far longer for may be slower', () => {
    const even = { verdict: 'no-difference', figure: 'absolute' } as const;
    const tail = { ...even, verdict: 'unknown', percentile: 'p99', runMs: 3_000 } as const;
    expect(slowerCount({ baseline: baselineOf([even, tail]) })).toEqual({ least: 0, most: 1 });
  });
});

test('what was refused was not compared, whatever the other says', () => {
  const refused = baselineOf([], ['It was another machine.']);
  expect(slowerCount({ baseline: refused })).toEqual({ least: 0, most: Infinity });
  expect(slowerCount({ trend: slowerBy({}), baseline: refused })).toEqual({
    ...{ least: 1, most: Infinity },
  });
  expect(slowerCount({ trend: trendOf([], ['It lagged.']) })).toEqual({
    ...{ least: 0, most: Infinity },
  });
});
