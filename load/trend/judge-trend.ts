import type { LoadTrend, TrendLeftOut, TrendSeries } from '../../contracts/run/load/load-trend.ts';
import { type Acceptance, acceptanceWords } from './accepted.ts';
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
  /** The last time that somebody accepted what had changed until then; absent if nobody did. */
  readonly accepted?: Acceptance;
}

/** Changes of so many series are named that were accepted. */
const MOST_SAID = 4;

/**
 * What changed over the nights: of the whole run p50, p95 and p99, of each operation of the newest run
 * p50 and p95. The whole run has one half of the false alarms that all may raise together, the operations
 * the other, as what moves the whole is found by fewer series with more answers.
 */
export function judgeTrend(history: History): LoadTrend {
  const { nights, leftOut, leftOutMore, accepted } = history;
  const acceptedMs = accepted === undefined ? -Infinity : Date.parse(accepted.at);
  const names = nights.at(-1)?.load.operations.map(({ operation }) => operation) ?? [];
  const parts = names.length < 2 ? [] : subjectsOf(names.slice(0, MAX_OPERATIONS));
  const tooMany = `Of ${names.length} operations the first ${MAX_OPERATIONS} have series of their own.`;
  const probability = parts.length === 0 ? FALSE_ALARMS : FALSE_ALARMS / 2;
  const seriesOf = (some: readonly Night[], untilMs?: number): TrendSeries[] =>
    [WHOLE_RUN, parts].flatMap((subjects) =>
      subjects.map((subject) =>
        judgeSeries(some, subject, thresholdFor(probability, subjects.length), untilMs),
      ),
    );
  const until = nights.filter(({ startedAt }) => Date.parse(startedAt) <= acceptedMs);
  const notes =
    accepted === undefined || until.length === 0
      ? history.notes
      : [...history.notes, acceptedNote(accepted, seriesOf(until))];
  return {
    nights: nights.map(({ startedAt }) => startedAt),
    refused: [],
    ...{ leftOut, leftOutMore },
    notes: names.length <= MAX_OPERATIONS ? notes : [...notes, tooMany],
    falseAlarms: FALSE_ALARMS,
    firstLook: FIRST_LOOK,
    leastEffectPercent: MIN_EFFECT_PERCENT,
    series: seriesOf(nights, acceptedMs),
  };
}

/**
 * What was accepted, in a sentence.
 *
 * @param series as they were then
 */
function acceptedNote(accepted: Acceptance, series: readonly TrendSeries[]): string {
  const standing = standingSlower({ series });
  const changed = series.filter((one) => one.jump !== undefined || standing.includes(one));
  const changes = changed.map((one) => {
    const { operation = '', percentile, jump, shifts } = one;
    const percent = shifts.findLast(({ stands }) => stands)?.size.percent ?? jump?.percent ?? 0;
    return `${`${operation} ${percentile}`.trim()} slower by ${Math.round(percent)} %`;
  });
  const more = changed.length - MOST_SAID;
  const said = [...changes.slice(0, MOST_SAID), ...(more > 0 ? [`${more} more`] : [])].join(', ');
  return `What had changed until ${acceptanceWords(accepted)} was accepted${said === '' ? '' : `: ${said}`}. It fails no later night.`;
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
