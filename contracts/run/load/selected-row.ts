import { isAmongErrors } from './fates.ts';
import type { LoadRow, LoadThreshold, RunLoad, ThrottledPart } from './load-run.ts';
import { LATENCIES, type Latency, type Selection } from './threshold.ts';

/** A row, and the seconds over which a rate is taken. */
export interface SelectedRow {
  readonly row: LoadRow;
  readonly seconds: number;
}

/** Above this share of throttled requests a run, or a part of it, measures the limiter. */
const MAX_THROTTLED_SHARE = 0.05;

/** The row of a run that a threshold speaks of; undefined if there is none, or it is not said which of several. */
export function selectedRow(
  { whole, steps, operations, cells = [] }: RunLoad,
  { step, operation }: Selection,
): SelectedRow | undefined {
  const inRun = step === undefined;
  const own = inRun ? steps : steps.filter(({ name }) => name === step);
  const parts = inRun ? operations : cells.filter((cell) => cell.step === step);
  const all = inRun ? whole : own[0];
  if (!inRun && own.length !== 1) return undefined;
  const row = operation === undefined ? all : parts.find((part) => part.operation === operation);
  const seconds = own.reduce((sum, one) => sum + one.seconds, 0);
  return row === undefined ? undefined : { row, seconds };
}

/**
 * A latency of a row in ms: Infinity if it lies among errors; undefined if it is not known, or there
 * was nothing.
 *
 * @param of served answers, or all that was not throttled
 */
export function latencyOf(
  { latency, allLatency }: Pick<LoadRow, 'latency' | 'allLatency'>,
  metric: Latency,
  of?: 'served',
): number | undefined {
  const summary = of === 'served' ? latency : allLatency;
  if (summary === undefined || summary.count === 0) return undefined;
  const [name, share] = LATENCIES[metric];
  if (of === 'served') return summary[name];
  // Counts of requests hold those of a warm-up too, which are in no latency.
  const measured = { served: latency.count, errors: summary.count - latency.count, failed: 0 };
  return isAmongErrors(measured, share) ? Infinity : summary[name];
}

/** How much was throttled of a row, if that is more than happens beside, so that it is of the limiter. */
export function limiterOf({ counts }: Pick<LoadRow, 'counts'>): ThrottledPart | undefined {
  const { throttled, sent } = counts;
  return throttled > MAX_THROTTLED_SHARE * sent ? { throttled, sent } : undefined;
}

const METRIC = /([a-z0-9.]+)(?:\{[^}]*\})?(?:[<>]=?|==)[^<>=]*$/;

/** What was measured of a threshold, in words and with its unit. */
export function measuredWords({
  expression,
  measured,
  beyond,
  withinChance,
  limiter,
}: LoadThreshold): string {
  if (limiter !== undefined)
    return `not known, as ${limiter.throttled} of ${limiter.sent} requests were throttled`;
  if (beyond === true) return 'was beyond any bound, as more failed than may be slower';
  if (measured === undefined) return 'nothing was measured';
  const unit = /\d(ms|s|%|\/s|x)?$/.exec(expression)?.[1] ?? '';
  const value = Math.round(measured * 1000) / 1000;
  const failed = withinChance === true ? ', which is within chance or too little to notice' : '';
  // A count is of what its threshold names.
  const of = unit === '' ? ` ${METRIC.exec(expression)?.[1] ?? ''}` : unit;
  return `was ${value}${unit === '' || unit.startsWith('/') ? of : ` ${unit}`}${failed}`;
}
