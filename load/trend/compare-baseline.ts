import type {
  BaselineRow,
  LoadBaseline,
  TrendSubject,
} from '../../contracts/run/load/load-trend.ts';
import { given } from '../../contracts/wire/json.ts';
import { total } from '../sums.ts';
import { LatencyHistogram } from '../samples/latency-histogram.ts';
import { difference, remarks, unfit } from './comparable.ts';
import {
  absoluteOf,
  comparedRounds,
  type ComparedRound,
  type Figure,
  MAX_OPERATIONS,
  type Night,
  type NightLoad,
  subjectsOf,
  WHOLE_RUN,
} from './night.ts';
import { mean, percentOf, rounded } from './order-statistics.ts';
import { quantileInterval, type QuantileInterval } from './quantile-interval.ts';
import { MIN_EFFECT, MIN_EFFECT_PERCENT } from './shifts.ts';
import { studentBound } from './student.ts';

/** Times as much variance, by which a control hides what it is to show. */
const SPOILT = 10;
/** Of all rows together. */
const CONFIDENCE = 0.95;
/** Rounds of each run; of fewer nobody knows how far they scatter. */
const MIN_ROUNDS = 4;

/** Two runs of which one is compared with the other. */
interface Pair<T> {
  readonly before: T;
  readonly after: T;
}

/** A difference of logarithms, with its interval; above 0 is slower. */
interface Difference extends QuantileInterval {
  /** The widening of the interval that makes a true difference surely seen, by standard errors. */
  readonly surely: number;
}

/**
 * How far a run's latencies are from those of an earlier one, as intervals that hold all true
 * differences together with 95 % confidence (Bonferroni). If both runs have rounds beside a control,
 * the ratios of the rounds are compared (Welch's interval, on logarithms); if they have not, the
 * percentiles by {@link quantileInterval}, put together as G. Y. Zou and A. Donner do (Statistics in
 * Medicine 27, 2008). The latter knows nothing of what differs between two nights: it says that answers
 * came later, not whether for the service or the machine. A difference below 5 % is never reported.
 *
 * @throws NotAHistogram when a record holds something else in place of one
 */
export function compareWithBaseline(run: Night, baseline: Night): LoadBaseline {
  const clauses = [
    ['This run', unfit(run)],
    ['The baseline', unfit(baseline)],
    ['The baseline', difference(run, baseline)],
  ] as const;
  const refused = clauses.flatMap(([which, why]) =>
    why === undefined ? [] : [`${which} cannot be compared: ${why}.`],
  );
  const loads = { before: baseline.load, after: run.load };
  // The whole run, and those operations whose rounds were kept.
  const parts = subjectsOf(run.load.operations.map(({ operation }) => operation))
    .filter((subject) => roundsOf(loads, subject) !== undefined)
    .slice(0, 2 * MAX_OPERATIONS);
  const subjects = refused.length > 0 ? [] : [...WHOLE_RUN, ...parts];
  const confidence = 1 - (1 - CONFIDENCE) / Math.max(1, subjects.length);
  return {
    run: baseline.run,
    startedAt: baseline.startedAt,
    refused,
    notes: remarks(run, baseline).map((words) => `The baseline ran with ${words}.`),
    confidence: CONFIDENCE,
    rows: subjects.map((subject) => rowOf(loads, subject, confidence)),
  };
}

type Rounds = Pair<readonly ComparedRound[]>;

/** The rounds of both; undefined if one has too few. */
function roundsOf({ before, after }: Pair<NightLoad>, subject: TrendSubject): Rounds | undefined {
  const rounds = {
    before: comparedRounds(before, subject),
    after: comparedRounds(after, subject),
  };
  return Math.min(rounds.before.length, rounds.after.length) < MIN_ROUNDS ? undefined : rounds;
}

function rowOf(loads: Pair<NightLoad>, subject: TrendSubject, confidence: number): BaselineRow {
  const rounds = roundsOf(loads, subject);
  const figure = rounds !== undefined && controlHelps(rounds, confidence) ? 'ratio' : 'absolute';
  const found =
    rounds === undefined
      ? batchesDifference(loads, subject, confidence)
      : roundsDifference(rounds, figure, confidence);
  const row = {
    ...subject,
    figure,
    method: rounds === undefined ? 'batches' : 'rounds',
    ...given({ baselineMs: msOf(loads.before, subject), runMs: msOf(loads.after, subject) }),
  } as const;
  if (found === undefined) return { ...row, verdict: 'unknown' };
  const { value, least, greatest, surely } = found;
  const isLarge = Math.abs(value) >= MIN_EFFECT;
  const verdict =
    isLarge && least > 0 ? 'slower' : isLarge && greatest < 0 ? 'faster' : 'no-difference';
  const isOfControl =
    rounds !== undefined &&
    figure === 'ratio' &&
    verdict !== 'no-difference' &&
    movedByControl(rounds, confidence);
  return {
    ...row,
    verdict,
    ...(isOfControl ? { cause: 'control' } : {}),
    percent: percentOf(value),
    intervalPercent: [percentOf(least), percentOf(greatest)],
    smallestPercent: Math.max(MIN_EFFECT_PERCENT, percentOf(surely)),
  };
}

/**
 * Whether a ratio differs for the control alone: that surely went the other way, and the target's own
 * milliseconds did not move by the least effect. So it is of a service on another machine, when the one
 * that sends has become faster.
 */
function movedByControl(rounds: Rounds, confidence: number): boolean {
  const target = roundsDifference(rounds, 'absolute', confidence).value;
  const control = roundsDifference(rounds, 'control', confidence);
  const isSlower = target - control.value > 0;
  const wentAgainst = isSlower ? control.greatest < 0 : control.least > 0;
  return wentAgainst && (isSlower ? target : -target) < MIN_EFFECT;
}

/**
 * Whether dividing by the control shows more, as it does if the machine slows both down. A control of 1 ms may
 * scatter by so much more than a target of 20 ms that nothing is seen any more: then, unless it surely moved, the
 * target is compared by itself.
 */
function controlHelps(rounds: Rounds, confidence: number): boolean {
  const { least, greatest } = roundsDifference(rounds, 'control', confidence);
  const varianceOf = (figure: Figure): number =>
    momentsOf(rounds.before, figure).variance + momentsOf(rounds.after, figure).variance;
  return least > 0 || greatest < 0 || varianceOf('ratio') <= SPOILT * varianceOf('absolute');
}

/** Welch's interval for the difference of two means (B. L. Welch, Biometrika 34, 1947), of logarithms. */
function roundsDifference(rounds: Rounds, figure: Figure, confidence: number): Difference {
  const [before, after] = [momentsOf(rounds.before, figure), momentsOf(rounds.after, figure)];
  const variance = before.variance + after.variance;
  const degrees =
    variance === 0
      ? before.degrees + after.degrees
      : variance ** 2 /
        (before.variance ** 2 / before.degrees + after.variance ** 2 / after.degrees);
  const error = Math.sqrt(variance);
  const reach = studentBound(degrees, confidence) * error;
  const value = after.mean - before.mean;
  const surely = reach + studentBound(degrees, 0.9) * error;
  return { value, least: value - reach, greatest: value + reach, surely };
}

interface Moments {
  readonly mean: number;
  /** Of the mean. */
  readonly variance: number;
  readonly degrees: number;
}

function momentsOf(rounds: readonly ComparedRound[], figure: Figure): Moments {
  const logs = rounds.map((round) => Math.log(round[figure]));
  const middle = mean(logs);
  const degrees = logs.length - 1;
  const squares = total(logs.map((value) => (value - middle) ** 2));
  return { mean: middle, variance: squares / degrees / logs.length, degrees };
}

function batchesDifference(
  loads: Pair<NightLoad>,
  { operation, percentile }: TrendSubject,
  confidence: number,
): Difference | undefined {
  // Moments are those of the whole run.
  if (operation !== undefined) return undefined;
  const intervalOf = ({ whole, moments }: NightLoad): QuantileInterval | undefined => {
    if (whole.latency.count === 0) return undefined;
    const latencies = LatencyHistogram.decode(whole.histogram);
    return quantileInterval(latencies, moments, percentile, confidence);
  };
  const [now, then] = [intervalOf(loads.after), intervalOf(loads.before)];
  if (now === undefined || then === undefined) return undefined;
  const value = now.value - then.value;
  const down = Math.hypot(now.value - now.least, then.greatest - then.value);
  const up = Math.hypot(now.greatest - now.value, then.value - then.least);
  // Half as far again turns "may be seen" into "19 of 20 times" at these confidences, and a little more.
  const surely = Math.max(down, up) * 1.75;
  return { value, least: value - down, greatest: value + up, surely };
}

/** Also of fewer answers than are compared; nothing if none was measured. */
function msOf(load: NightLoad, subject: TrendSubject): number | undefined {
  const { latency } = load.whole;
  const isMeasured = subject.operation === undefined && latency.count > 0;
  const ofWhole = isMeasured ? latency[`${subject.percentile}Ms` as const] : undefined;
  const ms = absoluteOf(load, subject) ?? ofWhole;
  return ms === undefined ? undefined : rounded(ms);
}
