import type {
  TrendDifference,
  TrendSeries,
  TrendShift,
  TrendSubject,
} from '../../contracts/run/load/load-trend.ts';
import { given } from '../../contracts/wire/json.ts';
import { absoluteOf, comparedRounds, type Figure, middleOf, type Night } from './night.ts';
import {
  median,
  percentOf,
  robustSpread,
  rounded,
  serialCorrelation,
  shiftBetween,
  type ShiftEstimate,
} from './order-statistics.ts';
import { smallestReported } from './power.ts';
import { jumpAt, MIN_NIGHTS, NOW } from './jumps.ts';
import { walkNights, type Shift } from './shifts.ts';
import { FIRST_LOOK } from './split-scan.ts';

/** A change of the absolute figure this many nights from one of the ratio is the same change. */
const SAME_CHANGE_NIGHTS = 5;

/** Before any night. */
const NEVER = -Infinity;

/** A night with its figures; logarithms are judged. */
interface Point extends Readonly<Record<Figure, number | undefined>> {
  readonly night: number;
  readonly startedAt: string;
  readonly isNewest: boolean;
  /** Least and greatest ratio of its rounds. */
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
  acceptedMs: number = NEVER,
): TrendSeries {
  const points = nights.map((night, at) => pointOf(night, at, nights.length, subject));
  const withRatio = points.filter(({ ratio }) => ratio !== undefined);
  const figure = withRatio.length >= FIRST_LOOK ? 'ratio' : 'absolute';
  const judged = points.filter((point) => point[figure] !== undefined);
  const logs = logsOf(judged, figure);
  const { shifts: found, since } = walkNights(logs, threshold);
  const last = found.at(-1);
  const isBack = last !== undefined && hasReturned(logs, last, found.at(-2)?.first ?? 0);
  const reported = reportedShifts(judged, found, figure).map((shift, at, all) => ({
    ...shift,
    stands: at === all.length - 1 && !isBack && Date.parse(shift.since) > acceptedMs,
  }));
  const own = reported.filter(({ cause }) => cause !== 'control').at(-1);
  const watched = logs.slice(since);
  const isWatched = watched.length >= FIRST_LOOK;
  const smallest = isWatched ? smallestReported(watched, threshold) : undefined;
  const dependence = isWatched ? serialCorrelation([watched], median) : 0;
  const row = (name: Figure): (number | null)[] =>
    points.map((point) => (point[name] === undefined ? null : rounded(point[name])));
  return {
    ...subject,
    figure,
    verdict: own?.direction ?? (logs.length >= FIRST_LOOK ? 'steady' : 'unwatched'),
    shifts: reported,
    ...given({ jump: jumpOf(points, acceptedMs) }),
    asides: figure === 'ratio' ? asidesOf(withRatio, found, threshold) : [],
    nights: logs.length,
    nightsWatched: watched.length,
    ...given({
      spreadPercent: watched.length < 2 ? undefined : percentOf(robustSpread(watched)),
      smallestPercent: smallest === undefined ? undefined : rounded(smallest),
      // Independent nights exceed it in 1 of 200 series, so that of dozens of series it is seldom chance.
      autocorrelation:
        dependence > 2.6 / Math.sqrt(watched.length) ? rounded(dependence) : undefined,
    }),
    valuesMs: row('absolute'),
    ...(withRatio.length === 0 ? {} : { controlMs: row('control'), ratios: row('ratio') }),
    ranges: points.map(({ range }) => (figure === 'ratio' && range !== undefined ? range : null)),
  };
}

/** A jump that stands at the newest night: by ratios if enough nights have one, be they too few to judge ranks. */
function jumpOf(points: readonly Point[], acceptedMs: number): TrendSeries['jump'] {
  const newest = points.at(-1);
  const withRatio = points.filter(({ ratio }) => ratio !== undefined);
  const isByRatio = newest?.ratio !== undefined && withRatio.length > MIN_NIGHTS;
  const figure = isByRatio ? 'ratio' : 'absolute';
  if (newest?.[figure] === undefined) return undefined;
  const judged = isByRatio ? withRatio : points.filter(({ absolute }) => absolute !== undefined);
  const jump = jumpAt(
    judged.map((point) => ({
      value: Math.log(point[figure] ?? 1),
      ...(isByRatio && point.range !== undefined
        ? { leastOfRounds: Math.log(point.range[0]), control: Math.log(point.control ?? 1) }
        : {}),
      isAccepted: Date.parse(point.startedAt) <= acceptedMs,
    })),
  );
  if (jump === undefined) return undefined;
  const since = judged[jump.first]?.startedAt ?? '';
  return { since, percent: percentOf(jump.size), isKnown: jump.isKnown };
}

/** Whether the newest nights are nearer to the level before a change than to the one after. */
function hasReturned(logs: readonly number[], { first }: Shift, begins: number): boolean {
  const after = logs.slice(first);
  if (after.length <= NOW) return false;
  const [before, level] = [median(logs.slice(begins, first)), median(after)];
  const now = median(after.slice(-NOW));
  return Math.abs(now - before) < Math.abs(now - level);
}

function pointOf(night: Night, at: number, nights: number, subject: TrendSubject): Point {
  const rounds = comparedRounds(night.load, subject);
  const ratios = rounds.map(({ ratio }) => ratio);
  return {
    night: at,
    startedAt: night.startedAt,
    isNewest: at === nights - 1,
    absolute: absoluteOf(night.load, subject),
    control: middleOf(rounds, 'control'),
    ratio: middleOf(rounds, 'ratio'),
    range:
      ratios.length === 0
        ? undefined
        : [rounded(Math.min(...ratios)), rounded(Math.max(...ratios))],
  };
}

/** Logarithms of those that have a figure. */
function logsOf(points: readonly Point[], figure: Figure): number[] {
  return points.flatMap((point) => (point[figure] === undefined ? [] : [Math.log(point[figure])]));
}

function reportedShifts(
  judged: readonly Point[],
  shifts: readonly Shift[],
  figure: 'ratio' | 'absolute',
): TrendShift[] {
  return shifts.map((shift, at) => {
    const before = judged.slice(shifts[at - 1]?.first ?? 0, shift.first);
    const after = judged.slice(shift.first, shifts[at + 1]?.first);
    const control = differenceOf(before, after, 'control');
    const toldBy = judged[shift.toldBy];
    return {
      direction: shift.size.shift > 0 ? 'slower' : 'faster',
      since: judged[shift.first]?.startedAt ?? '',
      toldBy: toldBy?.startedAt ?? '',
      isNew: toldBy?.isNewest === true,
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
  withRatio: readonly Point[],
  ofRatio: readonly Shift[],
  threshold: number,
): TrendShift[] {
  const points = withRatio.filter(({ absolute }) => absolute !== undefined);
  const nightsOfRatio = ofRatio.map(({ first }) => withRatio[first]?.night ?? -Infinity);
  const { shifts } = walkNights(logsOf(points, 'absolute'), threshold);
  return reportedShifts(points, shifts, 'absolute').flatMap((reported, at) => {
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
  figure: Figure,
): ShiftEstimate | undefined {
  const [earlier, later] = [logsOf(before, figure), logsOf(after, figure)];
  return earlier.length === 0 || later.length === 0 ? undefined : shiftBetween(earlier, later);
}

function asPercent({ shift, least, greatest }: ShiftEstimate): TrendDifference {
  return { percent: percentOf(shift), least: percentOf(least), greatest: percentOf(greatest) };
}
