/** Long because it holds all sentences on a trend, which the page shares. */

import type {
  LoadTrend,
  TrendDifference,
  TrendSeries,
  TrendShift,
  TrendSubject,
} from '../../contracts/run/load/load-trend.ts';
import { bullet, cut, plural, printable } from '../text.ts';
import type { Paint } from './verdict-style.ts';

const NAME_WIDTH = 26;
const COLUMN = 12;
/** What a nightly run should be able to see. */
const WANTED_PERCENT = 10;
const MAX_NAMES = 3;
/** What one series places a few nights later than another is one change. */
const SAME_DAYS = 5;

/** What changed over the nights: a sentence for each change, a row for each series, and what it rests on. */
export function trendLines(found: LoadTrend, width: number, paint: Paint): string[] {
  const trend = printable(found);
  const { nights, refused, series } = trend;
  if (refused.length > 0) {
    return [paint('bold', 'Trend'), ...refused.flatMap((why) => bullet('?', why, width))];
  }
  const [first = '', last = ''] = [nights[0], nights.at(-1)].map(dayOf);
  return [
    paint('bold', `Trend over ${plural(nights.length, 'night')}, ${first} to ${last}`),
    ...groupsOf(series).flatMap((group) => changeLines(group, width, paint)),
    ...series.flatMap(jumpRemark).flatMap(([symbol, text]) => bullet(symbol, text, width)),
    ...tableOf(trend, width, paint),
    ...remarksOf(trend).flatMap((text) => bullet('·', text, width)),
  ];
}

/** `p95`, `zap.quote p95`. */
export function subjectName({ operation, percentile }: TrendSubject): string {
  return operation === undefined ? percentile : `${operation} ${percentile}`;
}

interface Said {
  readonly one: TrendSeries;
  readonly shift: TrendShift;
}

/** Changes that are one for a reader: of the same kind, and since about the same night. */
function groupsOf(series: readonly TrendSeries[]): Said[][] {
  const groups: Said[][] = [];
  const all = series.flatMap((one) =>
    [...one.shifts, ...one.asides].map((shift) => ({ one, shift })),
  );
  for (const said of all) {
    const same = groups.find(
      ([first]) => first !== undefined && isSameChange(first.shift, said.shift),
    );
    if (same === undefined) groups.push([said]);
    else same.push(said);
  }
  const since = (group: Said[]): string => group[0]?.shift.since ?? '';
  return groups.toSorted((a, b) => (since(a) < since(b) ? -1 : 1));
}

function isSameChange(one: TrendShift, other: TrendShift): boolean {
  const days = Math.abs(Date.parse(one.since) - Date.parse(other.since)) / 86_400_000;
  return one.cause === other.cause && one.direction === other.direction && days <= SAME_DAYS;
}

function changeLines(group: readonly Said[], width: number, paint: Paint): string[] {
  return changeRemarks(group).flatMap(({ symbol, text, format }) =>
    bullet(symbol, text, width).map((line) => paint(format, line)),
  );
}

/** The first series of a group in words, the others by name; a new one goes first, as it is news. */
function changeRemarks(
  group: readonly Said[],
): { readonly symbol: string; readonly text: string; readonly format: 'red' | 'dim' | 'yellow' }[] {
  const [first, ...others] = group.toSorted(
    (a, b) => Number(b.shift.isNew) - Number(a.shift.isNew),
  );
  if (first === undefined) return [];
  const { one, shift } = first;
  const isFault = shift.direction === 'slower' && isOwn(shift);
  const likewise =
    others.length === 0
      ? ''
      : ` Likewise: ${others.map((other) => `${subjectName(other.one)} ${signed(other.shift.size.percent)} %`).join(', ')}.`;
  const symbol = isFault ? '✗' : shift.cause === 'machine' ? '·' : '!';
  const format = isFault ? 'red' : shift.cause === 'machine' ? 'dim' : 'yellow';
  return [{ symbol, text: `${changeInWords(one, shift)}${likewise}`, format }];
}

/** The same as sentences, each with its symbol. */
export function trendRemarks(trend: LoadTrend): [symbol: string, text: string][] {
  if (trend.refused.length > 0) return trend.refused.map((why) => ['?', why]);
  return [
    ...groupsOf(trend.series)
      .flatMap((group) => changeRemarks(group))
      .map(({ symbol, text }): [string, string] => [symbol, text]),
    ...trend.series.flatMap(jumpRemark),
    ...remarksOf(trend).map((text): [string, string] => ['·', text]),
  ];
}

/** A jump of the newest night in words; `?` as long as nothing confirms it. */
function jumpRemark(one: TrendSeries): [symbol: string, text: string][] {
  const { jump } = one;
  if (jump === undefined) return [];
  const what = `${subjectName(one)} is slower by ${short(jump.percent)} % since the night of ${dayOf(jump.since)}, beyond all that it ever spread`;
  return jump.isKnown
    ? [
        [
          '✗',
          `${what}. It counts until the level comes back, or \`assay history --accept\` accepts it.`,
        ],
      ]
    : [
        [
          '?',
          `${what}. One night alone may be the machine's: rounds beside a control, or the next night, decide.`,
        ],
      ];
}

/** Whether a change is said of the target, or cannot be said not to be. */
function isOwn({ cause }: TrendShift): boolean {
  return cause === 'target' || cause === 'unknown';
}

/** One change as a sentence: which series, since when, by how much, and whose it is. */
export function changeInWords(one: TrendSeries, shift: TrendShift): string {
  const { direction, since, toldBy, isNew, size, control, cause } = shift;
  const isAside = one.asides.includes(shift);
  const what =
    isAside || one.figure === 'absolute'
      ? subjectName(one)
      : `${subjectName(one)}, measured by the control,`;
  const reported = isNew ? 'reported by this run' : `reported by the night of ${dayOf(toldBy)}`;
  const beside = control === undefined ? '' : ` The control changed by ${inPercent(control)}.`;
  const whose = {
    target: 'A slower or faster machine does not explain it.',
    machine:
      'The control changed likewise and the ratio did not: it is the machine, not the service.',
    control: 'The control changed, not the service.',
    unknown: isAside
      ? 'The ratio to the control does not show it: whether it is the service or the machine is not known.'
      : 'Without a control it may be the machine as well as the service.',
  }[cause];
  return `${what} is ${direction} by ${inPercent(direction === 'faster' ? mirrored(size) : size)} since the night of ${dayOf(since)}, ${reported}.${beside} ${whose}`;
}

/** Operations that nothing can be determined of yet would fill the screen for twenty nights. */
function isReported({ operation, nightsWatched, shifts }: TrendSeries, firstLook: number): boolean {
  return operation === undefined || nightsWatched >= firstLook || shifts.length > 0;
}

function tableOf({ series, firstLook }: LoadTrend, width: number, paint: Paint): string[] {
  const nameWidth = Math.min(NAME_WIDTH, Math.max(8, width - 2 - 5 * COLUMN));
  const heads = ['this run ms', 'by control', 'spread', 'would see', 'nights'];
  const head = heads.map((name) => name.padStart(COLUMN)).join('');
  return [
    paint('dim', `  ${''.padEnd(nameWidth)}${head}`),
    ...series
      .filter((one) => isReported(one, firstLook))
      .map((one) => {
        const cells = [
          numberOf(one.valuesMs.at(-1)),
          one.figure === 'ratio' ? numberOf(one.ratios?.at(-1)) : '-',
          one.spreadPercent === undefined ? '-' : `${short(one.spreadPercent)} %`,
          one.nightsWatched < firstLook
            ? '-'
            : one.smallestPercent === undefined
              ? 'none'
              : `${short(one.smallestPercent)} %`,
          String(one.nightsWatched),
        ];
        const name = cut(subjectName(one), nameWidth - 1).padEnd(nameWidth);
        return `  ${name}${cells.map((cell) => cell.padStart(COLUMN)).join('')}`;
      }),
  ];
}

function remarksOf(trend: LoadTrend): string[] {
  const { series, firstLook, falseAlarms, leastEffectPercent, notes } = trend;
  const inTime = (one: TrendSeries): boolean => one.nightsWatched >= firstLook;
  const few = series.filter((one) => !inTime(one));
  const blind = series.filter(
    (one) => inTime(one) && (one.smallestPercent ?? Infinity) > WANTED_PERCENT,
  );
  const following = series.filter(({ autocorrelation }) => autocorrelation !== undefined);
  const alone = series.filter(({ figure }) => figure === 'absolute');
  return [
    ...(few.length === 0
      ? []
      : [
          `Not watched for lasting changes yet, as it takes ${firstLook} nights since the latest one: ${namesOf(few)}.`,
        ]),
    ...blind.map(blindness),
    ...(following.length === 0
      ? []
      : [
          `Nights are like the night before (${namesOf(following)}): a change is reported later than is said here.`,
        ]),
    ...(alone.length === 0
      ? []
      : [
          `Judged by milliseconds alone, as fewer than ${firstLook} nights have rounds beside a control: ${namesOf(alone)}. A machine that is lastingly slower looks like a slower service there.`,
        ]),
    ...leftOutOf(trend),
    ...notes,
    `A change is reported from ${leastEffectPercent} % on. Of histories of sixty nights without any, ${short(100 * falseAlarms)} % have one reported as slower, all series together; "would see" is the least that is found within ten nights 19 of 20 times.`,
  ];
}

function blindness(one: TrendSeries): string {
  const least =
    one.smallestPercent === undefined
      ? 'not even twice the time would be'
      : `the smallest that would be is ${short(one.smallestPercent)} %`;
  return `${subjectName(one)}: at a spread of ${short(one.spreadPercent ?? 0)} % a step of ${WANTED_PERCENT} % would not surely be found within ten nights; ${least}.`;
}

/** Runs by the reason for which they were left out. */
function leftOutOf({ leftOut, leftOutMore }: LoadTrend): string[] {
  const byReason = new Map<string, string[]>();
  for (const { run, reason } of leftOut) {
    byReason.set(reason, [...(byReason.get(reason) ?? []), run]);
  }
  return [
    ...[...byReason].map(([reason, runs]) => `Not compared: ${listOf(runs)}: ${reason}.`),
    ...(leftOutMore === 0 ? [] : [`Not compared: ${plural(leftOutMore, 'further run')}.`]),
  ];
}

function namesOf(series: readonly TrendSeries[]): string {
  return listOf(series.map(subjectName));
}

function listOf(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  const first = names.slice(0, MAX_NAMES).join(', ');
  return more > 0 ? `${first} and ${more} more` : first;
}

/** A speed-up of 9 % for a change by −9 %. */
function mirrored({ percent, least, greatest }: TrendDifference): TrendDifference {
  return { percent: -percent, least: -greatest, greatest: -least };
}

/** `10.1 % (6.2 to 13.9)`. */
export function inPercent({ percent, least, greatest }: TrendDifference): string {
  return `${short(percent)} % (${short(least)} to ${short(greatest)})`;
}

export function dayOf(time: string | undefined): string {
  return (time ?? '').slice(0, 10);
}

function signed(value: number): string {
  return value > 0 ? `+${short(value)}` : short(value);
}

function numberOf(value: number | null | undefined): string {
  return value === null || value === undefined ? '-' : String(Number(value.toPrecision(4)));
}

function short(value: number): string {
  return String(Math.round(value * 10) / 10);
}
