import type { LoadCounts, LoadRow, LoadThreshold, RunLoad } from './load-run.ts';
import { isKind, metricOf, parseThreshold, type Selection, ThresholdError } from './threshold.ts';

/** A row, and the seconds over which a rate is taken. */
export interface SelectedRow {
  readonly row: LoadRow;
  readonly seconds: number;
}

/** Above this share of throttled requests a run, or a part of it, measures the limiter. */
const MAX_THROTTLED_SHARE = 0.05;

/** The row of a run that a threshold speaks of; undefined where there is none. */
export function selectedRow(
  { whole, steps, operations, cells = [] }: RunLoad,
  { step, operation }: Selection,
): SelectedRow | undefined {
  const inRun = step === undefined;
  const own = inRun ? steps : steps.filter(({ name }) => name === step);
  const parts = inRun ? operations : cells.filter((cell) => cell.step === step);
  const all = inRun ? whole : own[0];
  const row = operation === undefined ? all : parts.find((part) => part.operation === operation);
  const seconds = own.reduce((sum, one) => sum + one.seconds, 0);
  return row === undefined ? undefined : { row, seconds };
}

/** Whether so much of the part of a run that is named was throttled that it is of the limiter. */
export function isOfLimiter({ counts }: LoadRow, selection: Selection): boolean {
  // Of the whole run its outcome tells.
  const isPart = (selection.operation ?? selection.step) !== undefined;
  return isPart && isMostlyLimiter(counts);
}

/** Whether more was throttled than happens beside. */
export function isMostlyLimiter({
  throttled,
  sent,
}: Pick<LoadCounts, 'throttled' | 'sent'>): boolean {
  return throttled > MAX_THROTTLED_SHARE * sent;
}

/** Why nothing is known of a threshold that was measured, in words; undefined where the limiter is not the reason. */
export function limiterWordsOf(expression: string, load: RunLoad): string | undefined {
  const metric = metricOf(expression);
  if (metric === undefined || isKind(metric)) return undefined;
  try {
    const threshold = parseThreshold(expression);
    const row = selectedRow(load, threshold)?.row;
    if (row === undefined || !isOfLimiter(row, threshold)) return undefined;
    const { throttled, sent } = row.counts;
    return `not known, as ${throttled} of ${sent} requests were throttled`;
  } catch (error) {
    // A record may hold anything.
    if (error instanceof ThresholdError) return undefined;
    throw error;
  }
}

/** What was measured of a threshold, in words and with its unit. */
export function measuredWords(
  { expression, measured, beyond, withinChance }: LoadThreshold,
  load: RunLoad,
): string {
  if (measured === undefined) return limiterWordsOf(expression, load) ?? 'nothing was measured';
  const unit = /\d(ms|s|%|\/s|x)?$/.exec(expression)?.[1] ?? '';
  const value = Math.round(measured * 1000) / 1000;
  const failed =
    beyond === true
      ? ', and more failed than may be slower'
      : withinChance === true
        ? ', which is within chance or too little to notice'
        : '';
  return `was ${value}${unit === '' || unit.startsWith('/') ? unit : ` ${unit}`}${failed}`;
}
