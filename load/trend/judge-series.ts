import type {
  TrendDifference,
  TrendSeries,
  TrendShift,
  TrendSubject,
} from '../../contracts/run/load/load-trend.ts';
import { absoluteOf, comparedRounds, ratioOf, type Night } from './night.ts';
import {
  autocorrelation,
  median,
  percentOf,
  robustSpread,
  shiftBetween,
  type ShiftEstimate,
} from './order-statistics.ts';
import { smallestReported } from './power.ts';
import { jumpAt } from './jumps.ts';
import { walkNights, type Shift } from './shifts.ts';
import { FIRST_LOOK } from './split-scan.ts';

/** A change of the absolute figure this many nights from one of the ratio is the same change. */
const SAME_CHANGE_NIGHTS = 5;

/** A night with its figures; logarithms are judged. */
interface Point {
  readonly night: number;
  readonly absolute: number | undefined;
  readonly control: number | undefined;
  readonly ratio: number | undefined;
  readonly range: readonly [number, number] | undefined;
}

/**
 * Whether a series has lastingly changed. The ratio to the control is what is judged as soon as enough
 * nights have one; changes of the absolute figure that the ratio does not show are reported aside, with
 * what the control did over the same nights.
 *
 * @param nights oldest first
 * @param acceptedMs until when somebody accepted what had changed, in ms since the epoch; never when absent
 */
export function judgeSeries(
  nights: readonly Night[],
  subject: TrendSubject,
  threshold: number,
  acceptedMs?: number,
): TrendSeries {
  const accepted = acceptedMs ?? -Infinity;
  const points = nights.map((night, at) => pointOf(night, at, subject));
  const withRatio = points.filter(({ ratio }) => ratio !== undefined);
  const figure = withRatio.length >= FIRST_LOOK ? 'ratio' : 'absolute';
  const judged =
    figure === 'ratio' ? withRatio : points.filter(({ absolute }) => absolute !== undefined);
  const logs = judged.map((point) => Math.log(point[figure] ?? NaN));
  const { shifts: found, since } = walkNights(logs, threshold);
  const last = found.at(-1);
  const isBack = last !== undefined && hasReturned(logs, last, found.at(-2)?.first ?? 0);
  const reported = reportedShifts(nights, judged, found, figure).map((shift, at, all) => ({
    ...shift,
    stands: at === all.length - 1 && !isBack && Date.parse(shift.since) > accepted,
  }));
  const own = reported.filter(({ cause }) => cause !== 'control').at(-1);
  const jump = jumpAt(
    judged.map((point, at) => ({
      value: logs[at] ?? 0,
      ...(figure === 'ratio' && point.range !== undefined
        ? { leastOfRounds: Math.log(point.range[0]) }
        : {}),
      isAccepted: Date.parse(nights[point.night]?.startedAt ?? '') <= accepted,
    })),
  );
  const watched = logs.slice(since);
  const isWatched = watched.length >= FIRST_LOOK;
  const smallest = isWatched ? smallestReported(watched, threshold) : undefined;
  const dependence = isWatched ? autocorrelation(watched) : 0;
  return {
    ...subject,
    figure,
    verdict: own?.direction ?? (logs.length >= FIRST_LOOK ? 'steady' : 'unwatched'),
    shifts: reported,
    ...(jump === undefined || judged.at(-1)?.night !== nights.length - 1
      ? {}
      : {
          jump: {
            since: startOf(nights, judged, jump.first),
            percent: rounded(percentOf(jump.size)),
            isKnown: jump.isKnown,
          },
        }),
    asides: figure === 'ratio' ? asidesOf(nights, withRatio, found, threshold) : [],
    nights: logs.length,
    nightsWatched: watched.length,
    ...(watched.length < 2 ? {} : { spreadPercent: rounded(percentOf(robustSpread(watched))) }),
    ...(smallest === undefined ? {} : { smallestPercent: rounded(smallest) }),
    // Independent nights exceed it in 1 of 200 series, so that of dozens of series it is seldom chance.
    ...(dependence > 2.6 / Math.sqrt(watched.length)
      ? { autocorrelation: rounded(dependence) }
      : {}),
    valuesMs: points.map(({ absolute }) => orNull(absolute)),
    ...(withRatio.length === 0
      ? {}
      : {
          controlMs: points.map(({ control }) => orNull(control)),
          ratios: points.map(({ ratio }) => orNull(ratio)),
        }),
    ranges: points.map(({ range }) => (figure === 'ratio' && range !== undefined ? range : null)),
  };
}

/** Nights whose median tells the level of now. */
const NOW = 3;

/** Whether the newest nights are nearer to the level before a change than to the one after. */
function hasReturned(logs: readonly number[], { first }: Shift, begins: number): boolean {
  const after = logs.slice(first);
  if (after.length <= NOW) return false;
  const [before, level] = [median(logs.slice(begins, first)), median(after)];
  const now = median(after.slice(-NOW));
  return Math.abs(now - before) < Math.abs(now - level);
}

function pointOf(night: Night, at: number, subject: TrendSubject): Point {
  const rounds = comparedRounds(night.load, subject);
  const ratios = rounds.map(({ targetMs, controlMs }) => targetMs / controlMs);
  return {
    night: at,
    absolute: absoluteOf(night.load, subject),
    control: rounds.length === 0 ? undefined : median(rounds.map(({ controlMs }) => controlMs)),
    ratio: ratioOf(rounds),
    range:
      rounds.length === 0
        ? undefined
        : [rounded(Math.min(...ratios)), rounded(Math.max(...ratios))],
  };
}

function reportedShifts(
  nights: readonly Night[],
  judged: readonly Point[],
  shifts: readonly Shift[],
  figure: 'ratio' | 'absolute',
): TrendShift[] {
  return shifts.map((shift, at) => {
    const before = judged.slice(shifts[at - 1]?.first ?? 0, shift.first);
    const after = judged.slice(shift.first, shifts[at + 1]?.first);
    const control = differenceOf(before, after, 'control');
    return {
      direction: shift.size.shift > 0 ? 'slower' : 'faster',
      since: startOf(nights, judged, shift.first),
      toldBy: startOf(nights, judged, shift.toldBy),
      isNew: judged[shift.toldBy]?.night === nights.length - 1,
      size: asPercent(shift.size),
      ...(control === undefined ? {} : { control: asPercent(control) }),
      cause:
        figure === 'absolute'
          ? 'unknown'
          : causeOf(shift, control, differenceOf(before, after, 'absolute')),
    };
  });
}

/**
 * A ratio moves when the control does, too: then the control surely went the other way, and further
 * than the target.
 */
function causeOf(
  { size }: Shift,
  control: ShiftEstimate | undefined,
  target: ShiftEstimate | undefined,
): TrendShift['cause'] {
  if (control === undefined || target === undefined) return 'target';
  const controlWentAgainst = size.shift > 0 ? control.greatest < 0 : control.least > 0;
  const controlWentFurther = Math.abs(control.shift) > Math.abs(target.shift);
  return controlWentAgainst && controlWentFurther ? 'control' : 'target';
}

/** Changes of the absolute figure without one of the ratio near them. */
function asidesOf(
  nights: readonly Night[],
  withRatio: readonly Point[],
  ofRatio: readonly Shift[],
  threshold: number,
): TrendShift[] {
  const points = withRatio.filter(({ absolute }) => absolute !== undefined);
  const nightsOfRatio = ofRatio.map(({ first }) => withRatio[first]?.night ?? -Infinity);
  const { shifts } = walkNights(
    points.map(({ absolute }) => Math.log(absolute ?? NaN)),
    threshold,
  );
  return reportedShifts(nights, points, shifts, 'absolute').flatMap((reported, at) => {
    const first = points[shifts[at]?.first ?? -1]?.night ?? 0;
    if (nightsOfRatio.some((other) => Math.abs(other - first) <= SAME_CHANGE_NIGHTS)) return [];
    const { control, direction } = reported;
    const likewise =
      control !== undefined && (direction === 'slower' ? control.least > 0 : control.greatest < 0);
    return [{ ...reported, cause: likewise ? ('machine' as const) : ('unknown' as const) }];
  });
}

function differenceOf(
  before: readonly Point[],
  after: readonly Point[],
  figure: 'absolute' | 'control',
): ShiftEstimate | undefined {
  const logs = (points: readonly Point[]): number[] =>
    points.flatMap((point) => (point[figure] === undefined ? [] : [Math.log(point[figure])]));
  const [earlier, later] = [logs(before), logs(after)];
  return earlier.length === 0 || later.length === 0 ? undefined : shiftBetween(earlier, later);
}

function startOf(nights: readonly Night[], judged: readonly Point[], place: number): string {
  return nights[judged[place]?.night ?? -1]?.startedAt ?? '';
}

function asPercent({ shift, least, greatest }: ShiftEstimate): TrendDifference {
  return {
    percent: rounded(percentOf(shift)),
    least: rounded(percentOf(least)),
    greatest: rounded(percentOf(greatest)),
  };
}

function orNull(value: number | undefined): number | null {
  return value === undefined ? null : rounded(value);
}

/** Four digits: more would only fill the record. */
function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
