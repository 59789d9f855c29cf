/**
 * What a load run must keep: expressions such as `p99<300ms`, read and compared with what was measured.
 */

import type {
  LoadCounts,
  LoadRow,
  LoadThreshold,
  RunLoad,
} from '../contracts/run/load/load-run.ts';
import { latencyWithoutLate } from './samples/without-late.ts';

/** Thrown when a threshold cannot be read; the message says what one looks like. */
export class ThresholdError extends Error {
  override readonly name = 'ThresholdError';
}

/** Each latency in a summary, and the share of answers that is no slower. */
const LATENCIES = {
  p50: ['p50Ms', 0.5],
  p95: ['p95Ms', 0.95],
  p99: ['p99Ms', 0.99],
  'p99.9': ['p999Ms', 0.999],
  max: ['worstMs', 1],
} as const;
/** Requests of a kind: a share in percent, or how many. */
const KINDS = ['errors', 'failed', 'throttled'] as const;
/** Of the whole run alone. */
const OF_THE_RUN = ['violations', 'dropped', 'slower'] as const;

type Latency = keyof typeof LATENCIES;
type Kind = (typeof KINDS)[number];
/** What a threshold speaks of. */
export type ThresholdMetric = Latency | Kind | (typeof OF_THE_RUN)[number] | 'rate';

const METRICS: readonly ThresholdMetric[] = [
  ...(Object.keys(LATENCIES) as Latency[]),
  ...KINDS,
  ...OF_THE_RUN,
  'rate',
];

const COMPARISONS: Readonly<
  Record<'<' | '<=' | '>' | '>=' | '==', (measured: number, bound: number) => boolean>
> = {
  '<': (measured, bound) => measured < bound,
  '<=': (measured, bound) => measured <= bound,
  '>': (measured, bound) => measured > bound,
  '>=': (measured, bound) => measured >= bound,
  '==': (measured, bound) => measured === bound,
};

/** In what a threshold is measured: milliseconds or seconds, percent, requests a second, or a count. */
type Unit = 'ms' | 's' | '%' | '/s' | '';

/** A threshold as it was read. */
export interface Threshold {
  /** As it was written, without blanks. */
  readonly expression: string;
  /** The one operation that it speaks of; all of them when absent. */
  readonly operation?: string;
  readonly metric: ThresholdMetric;
  readonly comparison: keyof typeof COMPARISONS;
  /** In the unit. */
  readonly bound: number;
  readonly unit: Unit;
}

const LONGEST = 200;
const EXAMPLES = 'p99<300ms, p95<=0.3s, errors<0.1%, throttled<5%, violations==0, rate>=100/s';

/**
 * Reads `[operation:]metric comparison number[unit]`.
 *
 * - `p50`, `p95`, `p99`, `p99.9`, `max`: latency of served answers, in ms or s
 * - `errors`: what was neither served nor throttled, answered or not, of all that was not throttled
 * - `failed`: what was not answered, of all that was not throttled · `throttled`: of all that was sent;
 *   these in percent, or as counts without a unit
 * - `rate`: served answers a second
 * - `violations`: broken rules that fail a run · `dropped`: requests that were never sent · `slower`:
 *   percentiles that comparisons with earlier runs tell slower ({@link heldOnSlower}); of the whole run
 *   alone
 *
 * @throws ThresholdError
 */
export function parseThreshold(text: string): Threshold {
  const expression = text.replace(/\s+/g, '');
  const refuse = (why: string): never => {
    throw new ThresholdError(
      `the threshold "${expression.slice(0, LONGEST)}" ${why}. Thresholds look like ${EXAMPLES}, or zap.quote:p99<300ms for one operation.`,
    );
  };
  if (expression.length > LONGEST) refuse(`is longer than ${LONGEST} characters`);
  const [whole, operation, metric = '', comparison = '', number = '', unit = ''] =
    /^(?:([^:<>=]*):)?([^:<>=]*)(<=|>=|==|<|>|=)(\d+(?:\.\d+)?)([^\d.].*)?$/.exec(expression) ?? [];
  if (whole === undefined) return refuse('cannot be read');
  const known = METRICS.find((one) => one === metric);
  if (known === undefined)
    return refuse(`speaks of "${metric}", which is none of ${METRICS.join(', ')}`);
  const compares = (Object.keys(COMPARISONS) as Threshold['comparison'][]).find(
    (one) => one === comparison,
  );
  if (compares === undefined) return refuse(`compares with "${comparison}": write ==`);
  const units = unitsOf(known);
  const given = units.find((one) => one === unit);
  if (given === undefined) {
    const wanted = units.map((one) => (one === '' ? 'no unit' : one)).join(' or ');
    return refuse(`has the unit "${unit}", and ${known} is measured in ${wanted}`);
  }
  if (operation === '') refuse('names no operation before its colon');
  if (operation !== undefined && isOfTheRun(known)) {
    refuse(`speaks of one operation, and ${known} are counted over the whole run`);
  }
  return {
    expression,
    ...(operation === undefined ? {} : { operation }),
    metric: known,
    comparison: compares,
    bound: Number(number),
    unit: given,
  };
}

function unitsOf(metric: ThresholdMetric): readonly Unit[] {
  if (isLatency(metric)) return ['ms', 's'];
  if ((KINDS as readonly string[]).includes(metric)) return ['%', ''];
  return metric === 'rate' ? ['/s'] : [''];
}

function isOfTheRun(metric: ThresholdMetric): boolean {
  return (OF_THE_RUN as readonly string[]).includes(metric);
}

/** What thresholds are compared with: a run, or one step of it. */
export interface Measured {
  readonly whole: LoadRow;
  /** Seconds over which a rate is taken. */
  readonly seconds: number;
  readonly operations: readonly (LoadRow & { readonly operation: string })[];
  /** Broken rules that fail a run; absent where nothing was judged. */
  readonly violations?: number;
  readonly dropped: number;
  /** Requests that the generator sent late, in any of the operations; none when absent. */
  readonly late?: number;
}

/** The measurements of a whole run. */
export function measuredOf(
  { whole, steps, operations, judged, violations, generator }: RunLoad,
  failsRun: (rule: string) => boolean,
): Measured {
  const counted = violations.filter(({ rule }) => failsRun(rule));
  return {
    whole,
    seconds: steps.reduce((sum, { seconds }) => sum + seconds, 0),
    operations,
    dropped: generator.dropped,
    late: generator.lateRequests ?? 0,
    ...(judged.answers === 0
      ? {}
      : { violations: counted.reduce((sum, { count }) => sum + count, 0) }),
  };
}

/** Compares a threshold with what was measured; where nothing was, it is not held. */
export function heldAgainst(threshold: Threshold, measured: Measured): LoadThreshold {
  const { expression, comparison, bound } = threshold;
  const value = valueOf(threshold, measured);
  if (value === undefined || Number.isNaN(value)) return { expression, held: false };
  const held = COMPARISONS[comparison](value, bound);
  const isOnlyLate =
    !held && COMPARISONS[comparison](withoutLate(threshold, measured) ?? value, bound);
  return { expression, measured: value, held, ...(isOnlyLate ? { onlyLate: true } : {}) };
}

/**
 * The latency that a threshold speaks of if those that left late were the slowest of all, as they may be
 * for that reason alone; undefined of any other threshold, and where all may have been late.
 */
function withoutLate(
  { operation, metric, unit }: Threshold,
  { whole, operations, late = 0 }: Measured,
): number | undefined {
  if (late === 0 || !isLatency(metric)) return undefined;
  const row =
    operation === undefined ? whole : operations.find((one) => one.operation === operation);
  if (row === undefined) return undefined;
  const ms = latencyWithoutLate(row, LATENCIES[metric][1], late);
  return unit === 's' ? ms / 1000 : ms;
}

function isLatency(metric: ThresholdMetric): metric is Latency {
  return metric in LATENCIES;
}

/**
 * Compares a threshold on `slower` with what is known to be slower, and what may be: decided where both
 * come to the same.
 */
export function heldOnSlower(
  { expression, comparison, bound }: Threshold,
  { least, most }: { readonly least: number; readonly most: number },
): LoadThreshold {
  const compares = COMPARISONS[comparison];
  const held = compares(least, bound);
  const isBetween = comparison === '==' && least !== most && least <= bound && bound <= most;
  if (isBetween || held !== compares(most, bound)) return { expression, held: false };
  return { expression, measured: least, held };
}

/** What a threshold speaks of, in its unit; undefined where nothing of it was measured. */
function valueOf(
  { operation, metric, unit }: Threshold,
  { whole, seconds, operations, violations, dropped }: Measured,
): number | undefined {
  if (metric === 'violations') return violations;
  if (metric === 'dropped') return dropped;
  // Known once the run is over and was compared.
  if (metric === 'slower') return undefined;
  const row =
    operation === undefined ? whole : operations.find((one) => one.operation === operation);
  if (row === undefined || row.counts.sent === 0) return undefined;
  if (metric === 'rate') return seconds > 0 ? row.counts.served / seconds : undefined;
  if (metric === 'errors' || metric === 'failed' || metric === 'throttled') {
    return shareOf(metric, row.counts, unit);
  }
  if (row.latency.count === 0) return undefined;
  const ms = row.latency[LATENCIES[metric][0]];
  return unit === 's' ? ms / 1000 : ms;
}

function shareOf(kind: Kind, counts: LoadCounts, unit: Unit): number | undefined {
  const { served, errors, failed, throttled, sent } = counts;
  const [some, all] = {
    errors: [errors + failed, served + errors + failed],
    failed: [failed, served + errors + failed],
    throttled: [throttled, sent],
  }[kind] as [number, number];
  if (unit === '') return some;
  return all === 0 ? undefined : (100 * some) / all;
}
