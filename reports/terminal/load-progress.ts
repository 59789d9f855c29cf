import { reasonWords } from '../../contracts/run/load/fates.ts';
import { cut, plural } from '../text.ts';

/** How a load run goes just now, as whoever runs it knows. */
export interface LoadProgressRow {
  /** Absent if there is no schedule. */
  readonly offeredPerSecond?: number;
  readonly servedPerSecond: number;
  readonly throttledPerSecond: number;
  readonly p99Ms?: number;
  readonly worstLagMs: number;
  /** So far, by reason, the most frequent first. */
  readonly errors: readonly (readonly [reason: string, count: number])[];
  /** Of the schedule; without one, how many requests are left to be ended. */
  readonly secondsLeft?: number;
  readonly requestsLeft?: number;
}

/** What nobody need see. */
const MUCH_LAG_MS = 5;
/** Of a line that nothing bounds. */
const ANY_LENGTH = Infinity;
/** How wide a name of a step is written, so that lines below each other can be compared. */
const NAME_WIDTH = 16;
const BETWEEN = '  ';

/** How a line is written: the first that there is room for. More reasons than are shown are added up. */
const WAYS: readonly Way[] = [
  { isShort: false, reasons: 3, others: 'all' },
  { isShort: true, reasons: 3, others: 'all' },
  { isShort: true, reasons: 3, others: 'wrong' },
  { isShort: true, reasons: 2, others: 'wrong' },
  { isShort: true, reasons: 1, others: 'wrong' },
  { isShort: true, reasons: 2, others: 'none' },
  { isShort: true, reasons: 1, others: 'none' },
];

interface Way {
  readonly isShort: boolean;
  readonly reasons: number;
  /** What else is shown if it is there: wrong answers, throttled ones, lag; wrong answers alone; nothing. */
  readonly others: 'all' | 'wrong' | 'none';
}

/**
 * One line for a person who waits: step, offered, served, p99, time left, errors by reason.
 *
 * @param room for so many characters; what does not fit is written shorter, then left out
 */
export function progressLine(
  progress: LoadProgressRow,
  step: string,
  { broken }: { readonly broken: number },
  room: number = ANY_LENGTH,
): string {
  const lines = WAYS.map((way) => lineOf(progress, step, broken, way));
  return lines.find((line) => line.length <= room) ?? leastLine(progress, step, room);
}

/** What there is room for of the shortest line, whole parts alone: no figure is cut. */
function leastLine(progress: LoadProgressRow, step: string, room: number): string {
  const way: Way = { isShort: true, reasons: 1, others: 'none' };
  const [rates, errors] = [rateWords(progress, way), errorWords(progress, way)];
  const [p99, left, name] = [p99Words(progress), leftWords(progress), cut(step, NAME_WIDTH)];
  const kept: string[] = [];
  for (const part of [...rates, ...errors, p99, left, name]) {
    if ([...kept, part].join(BETWEEN).length <= room) kept.push(part);
  }
  return [name, ...rates, p99, left, ...errors].filter((part) => kept.includes(part)).join(BETWEEN);
}

function lineOf(progress: LoadProgressRow, step: string, broken: number, way: Way): string {
  const { throttledPerSecond, worstLagMs } = progress;
  const name = cut(step, NAME_WIDTH);
  const isAll = way.others === 'all';
  return [
    way.isShort ? name : name.padEnd(NAME_WIDTH),
    ...rateWords(progress, way),
    p99Words(progress),
    leftWords(progress),
    ...errorWords(progress, way),
    ...(way.others !== 'none' && broken > 0 ? [`${broken} wrong`] : []),
    ...(isAll && throttledPerSecond > 0 ? [`throttled ${rate(throttledPerSecond)}/s`] : []),
    ...(isAll && worstLagMs > MUCH_LAG_MS ? [`lag ${worstLagMs.toFixed(0)} ms`] : []),
  ].join(BETWEEN);
}

function p99Words({ p99Ms }: LoadProgressRow): string {
  return `p99 ${p99Ms === undefined ? '–' : p99Ms.toFixed(0)} ms`;
}

function rate(value: number): string {
  return value < 10 ? value.toFixed(1) : value.toFixed(0);
}

function rateWords(
  { offeredPerSecond, servedPerSecond }: LoadProgressRow,
  { isShort }: Way,
): string[] {
  const served = `served ${rate(servedPerSecond)}`;
  if (offeredPerSecond === undefined) return [`${served}/s`];
  const offered = rate(offeredPerSecond);
  return isShort ? [`${served} of ${offered}/s`] : [`offered ${offered}/s`, `${served}/s`];
}

function leftWords({ secondsLeft = 0, requestsLeft = 0 }: LoadProgressRow): string {
  if (requestsLeft > 0) return `${requestsLeft} requests left`;
  const left = Math.max(0, Math.ceil(secondsLeft));
  return left > 0 ? `${left} s left` : 'the last answers';
}

/** What a reason is called if there is little room. */
const SHORT: Readonly<Record<string, string>> = {
  reset: 'closed',
  refused: 'refused',
  tls: 'TLS',
  unanswered: 'unanswered',
};

function errorWords({ errors }: LoadProgressRow, { isShort, reasons }: Way): string[] {
  const all = errors.reduce((sum, [, count]) => sum + count, 0);
  if (all === 0) return [];
  const shown = errors.slice(0, reasons);
  const others = all - shown.reduce((sum, [, count]) => sum + count, 0);
  const wordsOf = (reason: string): string =>
    isShort ? (SHORT[reason] ?? reasonWords(reason).replace('answered ', '')) : reasonWords(reason);
  const parts = [
    ...shown.map(([reason, count]) => `${count} ${wordsOf(reason)}`),
    ...(others > 0 ? [plural(others, 'other')] : []),
  ];
  return [isShort ? `errors ${parts.join(', ')}` : `errors ${all} (${parts.join(', ')})`];
}
