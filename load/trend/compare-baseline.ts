import type { LatencySummary } from '../../contracts/run/load/load-run.ts';
import type {
  BaselineRow,
  LoadBaseline,
  TrendSubject,
} from '../../contracts/run/load/load-trend.ts';
import { difference, remarks, unfit } from './comparable.ts';
import { absoluteOf, comparedRounds, type Night, type NightLoad } from './night.ts';
import { percentOf } from './order-statistics.ts';
import { quantileInterval, type CountedLatencies } from './quantile-interval.ts';
import { MIN_EFFECT_PERCENT } from './shifts.ts';
import { studentBound } from './student.ts';

/** Times as much variance, by which a control hides what it is to show. */
const SPOILT = 10;
/** Of all rows together. */
const CONFIDENCE = 0.95;
/** Rounds of each run; of fewer nobody knows how far they scatter. */
const MIN_ROUNDS = 4;
const MAX_OPERATIONS = 40;

/** A difference of logarithms, with its interval; above 0 is slower. */
interface Difference {
  readonly value: number;
  readonly least: number;
  readonly greatest: number;
  /** The widening of the interval that makes a true difference surely seen, by standard errors. */
  readonly surely: number;
}

/**
 * How far a run's latencies are from those of an earlier one, as intervals that hold all true
 * differences together with 95 % confidence (Bonferroni). Where both runs have rounds beside a control,
 * the ratios of the rounds are compared (Welch's interval, on logarithms); where they have not, the
 * percentiles by {@link quantileInterval}, put together as G. Y. Zou and A. Donner do (Statistics in
 * Medicine 27, 2008). The latter knows nothing of what differs between two nights: it says that answers
 * came later, not whether for the service or the machine. A difference below 5 % is never reported.
 *
 * @param decode a histogram of a run record; what it throws goes through
 */
export function compareWithBaseline(
  run: Night,
  baseline: Night,
  decode: (histogram: string) => CountedLatencies,
): LoadBaseline {
  const [own, then, apart] = [unfit(run), unfit(baseline), difference(run, baseline)];
  const refused = [
    ...(own === undefined ? [] : [`This run cannot be compared: ${own}.`]),
    ...(then === undefined ? [] : [`The baseline cannot be compared: ${then}.`]),
    ...(apart === undefined ? [] : [`The baseline cannot be compared: ${apart}.`]),
  ];
  const subjects = refused.length > 0 ? [] : subjectsOf(run, baseline);
  const confidence = 1 - (1 - CONFIDENCE) / Math.max(1, subjects.length);
  return {
    run: baseline.run,
    startedAt: baseline.startedAt,
    refused,
    notes: remarks(run, baseline).map((words) => `The baseline ran with ${words}.`),
    confidence: CONFIDENCE,
    rows: subjects.map((subject) => rowOf(run.load, baseline.load, subject, confidence, decode)),
  };
}

/** The whole run, and those operations whose rounds were kept. */
function subjectsOf(run: Night, baseline: Night): TrendSubject[] {
  const whole = (['p50', 'p95', 'p99'] as const).map((percentile) => ({ percentile }));
  const parts = run.load.operations
    .flatMap(({ operation }) =>
      (['p50', 'p95'] as const).map((percentile) => ({ operation, percentile })),
    )
    .filter((subject) => haveRounds(run.load, baseline.load, subject));
  return [...whole, ...parts.slice(0, 2 * MAX_OPERATIONS)];
}

function haveRounds(run: NightLoad, baseline: NightLoad, subject: TrendSubject): boolean {
  return [run, baseline].every((load) => comparedRounds(load, subject).length >= MIN_ROUNDS);
}

function rowOf(
  run: NightLoad,
  baseline: NightLoad,
  subject: TrendSubject,
  confidence: number,
  decode: (histogram: string) => CountedLatencies,
): BaselineRow {
  const byRounds = haveRounds(run, baseline, subject);
  const rounds = byRounds ? [baseline, run].map((load) => roundLogs(load, subject)) : [];
  const [then, now] = rounds;
  const figure =
    then !== undefined && now !== undefined && controlHelps(then, now, confidence)
      ? 'ratio'
      : 'absolute';
  const found =
    then !== undefined && now !== undefined
      ? roundsDifference(then[figure], now[figure], confidence)
      : batchesDifference(run, baseline, subject, confidence, decode);
  const ends = { baselineMs: msOf(baseline, subject), runMs: msOf(run, subject) };
  const how = { figure, method: byRounds ? 'rounds' : 'batches' } as const;
  if (found === undefined) return { ...subject, ...how, ...ends, verdict: 'unknown' };
  const { value, least, greatest, surely } = found;
  const percent = percentOf(value);
  const isLarge = Math.abs(value) >= Math.log1p(MIN_EFFECT_PERCENT / 100);
  const verdict =
    isLarge && least > 0 ? 'slower' : isLarge && greatest < 0 ? 'faster' : 'no-difference';
  const isOfControl =
    figure === 'ratio' &&
    then !== undefined &&
    now !== undefined &&
    verdict !== 'no-difference' &&
    movedByControl(then, now, confidence);
  return {
    ...subject,
    ...how,
    ...ends,
    verdict,
    ...(isOfControl ? { cause: 'control' as const } : {}),
    percent: rounded(percent),
    intervalPercent: [rounded(percentOf(least)), rounded(percentOf(greatest))],
    smallestPercent: rounded(Math.max(MIN_EFFECT_PERCENT, percentOf(surely))),
  };
}

/**
 * Whether a ratio differs for the control alone: that surely went the other way, and the target's own
 * milliseconds did not move by the least effect. So it is of a service on another machine, when the one
 * that sends has become faster.
 */
function movedByControl(before: RoundLogs, after: RoundLogs, confidence: number): boolean {
  const target = roundsDifference(before.absolute, after.absolute, confidence).value;
  const control = roundsDifference(before.control, after.control, confidence);
  const isSlower = target - control.value > 0;
  const wentAgainst = isSlower ? control.greatest < 0 : control.least > 0;
  return wentAgainst && (isSlower ? target : -target) < Math.log1p(MIN_EFFECT_PERCENT / 100);
}

/** Logarithms of a run's rounds. */
type RoundLogs = Readonly<Record<'ratio' | 'absolute' | 'control', readonly number[]>>;

function roundLogs(load: NightLoad, subject: TrendSubject): RoundLogs {
  const rounds = comparedRounds(load, subject);
  return {
    ratio: rounds.map(({ targetMs, controlMs }) => Math.log(targetMs / controlMs)),
    absolute: rounds.map(({ targetMs }) => Math.log(targetMs)),
    control: rounds.map(({ controlMs }) => Math.log(controlMs)),
  };
}

/**
 * Whether dividing by the control tells more, as it does where the machine slows both down. A control of 1 ms may
 * scatter by so much more than a target of 20 ms that nothing is seen any more: then, unless it surely moved, the
 * target is compared by itself.
 */
function controlHelps(before: RoundLogs, after: RoundLogs, confidence: number): boolean {
  const { least, greatest } = roundsDifference(before.control, after.control, confidence);
  const varianceOf = (figure: 'ratio' | 'absolute'): number =>
    momentsOf(before[figure]).variance + momentsOf(after[figure]).variance;
  return least > 0 || greatest < 0 || varianceOf('ratio') <= SPOILT * varianceOf('absolute');
}

/** Welch's interval for the difference of two means (B. L. Welch, Biometrika 34, 1947). */
function roundsDifference(
  earlier: readonly number[],
  later: readonly number[],
  confidence: number,
): Difference {
  const [before, after] = [momentsOf(earlier), momentsOf(later)];
  const variance = before.variance + after.variance;
  const degrees =
    variance === 0
      ? earlier.length + later.length - 2
      : variance ** 2 /
        (before.variance ** 2 / (earlier.length - 1) + after.variance ** 2 / (later.length - 1));
  const error = Math.sqrt(variance);
  const reach = studentBound(degrees, confidence) * error;
  const value = after.mean - before.mean;
  const surely = reach + studentBound(degrees, 0.9) * error;
  return { value, least: value - reach, greatest: value + reach, surely };
}

/** The mean, and its variance. */
function momentsOf(values: readonly number[]): { mean: number; variance: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, variance: squares / (values.length - 1) / values.length };
}

function batchesDifference(
  run: NightLoad,
  baseline: NightLoad,
  { operation, percentile }: TrendSubject,
  confidence: number,
  decode: (histogram: string) => CountedLatencies,
): Difference | undefined {
  // Moments are those of the whole run.
  if (operation !== undefined) return undefined;
  const intervalOf = (load: NightLoad): ReturnType<typeof quantileInterval> =>
    load.whole.latency.count === 0
      ? undefined
      : quantileInterval(decode(load.whole.histogram), load.moments, percentile, confidence);
  const [now, then] = [intervalOf(run), intervalOf(baseline)];
  if (now === undefined || then === undefined) return undefined;
  const value = now.value - then.value;
  const down = Math.hypot(now.value - now.least, then.greatest - then.value);
  const up = Math.hypot(now.greatest - now.value, then.value - then.least);
  // Half as far again turns "may be seen" into "19 of 20 times" at these confidences, and a little more.
  const surely = Math.max(down, up) * 1.75;
  return { value, least: value - down, greatest: value + up, surely };
}

function msOf(load: NightLoad, subject: TrendSubject): number {
  const summary: LatencySummary = load.whole.latency;
  return rounded(
    absoluteOf(load, subject) ??
      (subject.operation === undefined
        ? { p50: summary.p50Ms, p95: summary.p95Ms, p99: summary.p99Ms }[subject.percentile]
        : 0),
  );
}

/** Four digits: more would only fill the record. */
function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
