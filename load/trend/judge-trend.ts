import type {
  LoadTrend,
  TrendLeftOut,
  TrendSeries,
  TrendSubject,
} from '../../contracts/run/load/load-trend.ts';
import { MAX_OPERATIONS, type Night, subjectsOf, WHOLE_RUN } from './night.ts';
import { judgeSeries } from './judge-series.ts';
import { MIN_EFFECT_PERCENT } from './shifts.ts';
import { FIRST_LOOK } from './split-scan.ts';
import { FALSE_ALARMS, thresholdFor } from './thresholds.ts';

/** The nights to be compared, and those that cannot be. */
export interface History {
  /** Oldest first; the last is the newest run. */
  readonly nights: readonly Night[];
  readonly leftOut: readonly TrendLeftOut[];
  readonly leftOutMore: number;
  readonly notes: readonly string[];
  /** When somebody last accepted what had changed until then, RFC 3339; absent where nobody did. */
  readonly acceptedAt?: string;
}

/**
 * What changed over the nights: of the whole run p50, p95 and p99, of each operation of the newest run
 * p50 and p95. The whole run has one half of the false alarms that all may raise together, the operations
 * the other, as what moves the whole is found by fewer series with more answers.
 */
export function judgeTrend(history: History): LoadTrend {
  const { nights, leftOut, leftOutMore, notes, acceptedAt } = history;
  const acceptedMs = acceptedAt === undefined ? -Infinity : Date.parse(acceptedAt);
  const names = nights.at(-1)?.load.operations.map(({ operation }) => operation) ?? [];
  const parts = names.length < 2 ? [] : subjectsOf(names.slice(0, MAX_OPERATIONS));
  const tooMany = `Of ${names.length} operations the first ${MAX_OPERATIONS} have series of their own.`;
  const probability = parts.length === 0 ? FALSE_ALARMS : FALSE_ALARMS / 2;
  const family = (subjects: readonly TrendSubject[]): TrendSeries[] =>
    subjects.map((subject) =>
      judgeSeries(nights, subject, thresholdFor(probability, subjects.length), acceptedMs),
    );
  return {
    nights: nights.map(({ startedAt }) => startedAt),
    refused: [],
    ...{ leftOut, leftOutMore },
    notes: names.length <= MAX_OPERATIONS ? notes : [...notes, tooMany],
    falseAlarms: FALSE_ALARMS,
    firstLook: FIRST_LOOK,
    leastEffectPercent: MIN_EFFECT_PERCENT,
    series: [...family(WHOLE_RUN), ...family(parts)],
  };
}

/**
 * Series that are slower for certain, and have not come back: what a nightly run fails for. A change that the
 * control made alone is none of the target.
 */
export function standingSlower({ series }: Pick<LoadTrend, 'series'>): readonly TrendSeries[] {
  return series.filter(
    ({ shifts, jump }) =>
      jump?.isKnown === true ||
      shifts.some(
        ({ stands, direction, cause }) =>
          stands === true && direction === 'slower' && cause !== 'control',
      ),
  );
}
