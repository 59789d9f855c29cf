import type {
  LoadBaseline,
  LoadTrend,
  TrendSeries,
  TrendShift,
} from '../../contracts/run/load/load-trend.ts';

/** Day `at` of February at 2 o'clock, from 0. */
export const day = (at: number): string => new Date(Date.UTC(2026, 1, 1 + at, 2)).toISOString();

const values = Array.from({ length: 25 }, (_, at) => (at < 20 ? 20 : 22));

export const SLOWER: TrendShift = {
  direction: 'slower',
  since: day(20),
  toldBy: day(24),
  isNew: true,
  size: { percent: 10.08, least: 6.22, greatest: 13.94 },
  control: { percent: -0.2, least: -3, greatest: 4 },
  cause: 'target',
};

/** A series of 25 nights with a slow-down since the 21st, reported by the last. */
export function seriesOf(changes: Partial<TrendSeries> = {}): TrendSeries {
  return {
    percentile: 'p95',
    figure: 'ratio',
    verdict: 'slower',
    shifts: [SLOWER],
    asides: [],
    nights: 25,
    nightsWatched: 5,
    spreadPercent: 2.94,
    valuesMs: values,
    controlMs: values.map(() => 5),
    ratios: values.map((value) => value / 5),
    ranges: values.map((value) => [value / 5 - 0.1, value / 5 + 0.1]),
    ...changes,
  };
}

/** A trend of such series. */
export function trendOf(
  series: readonly TrendSeries[],
  changes: Partial<LoadTrend> = {},
): LoadTrend {
  return {
    nights: values.map((_, at) => day(at)),
    refused: [],
    leftOut: [],
    leftOutMore: 0,
    notes: [],
    falseAlarms: 0.05,
    firstLook: 20,
    leastEffectPercent: 5,
    series,
    ...changes,
  };
}

/** A run against a baseline. */
export const BASELINE: LoadBaseline = {
  run: 'last-week',
  startedAt: day(0),
  refused: [],
  notes: ['The baseline ran with Node v20.19.0, not v20.20.0.'],
  confidence: 0.95,
  rows: [
    {
      percentile: 'p50',
      figure: 'ratio',
      verdict: 'slower',
      baselineMs: 20.123,
      runMs: 24,
      percent: 19.3,
      intervalPercent: [15, 24],
      smallestPercent: 9,
      method: 'rounds',
    },
    {
      percentile: 'p95',
      figure: 'ratio',
      verdict: 'no-difference',
      baselineMs: 40,
      runMs: 41,
      percent: 2.5,
      intervalPercent: [-6, 11],
      smallestPercent: 17.4,
      method: 'rounds',
    },
    {
      percentile: 'p99',
      figure: 'absolute',
      verdict: 'unknown',
      baselineMs: 60,
      runMs: 61,
      method: 'batches',
    },
  ],
};
