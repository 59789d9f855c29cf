/** What a load run must keep, as it is written: expressions such as `p99<300ms`. */

import { MendableError } from '../../wire/mendable-error.ts';
import { given } from '../../wire/json.ts';

/** Thrown when a threshold cannot be read; the message says what one looks like. */
export class ThresholdError extends MendableError {
  override readonly name = 'ThresholdError';
}

/** Each latency in a summary, and the share of requests that is no slower. */
export const LATENCIES = {
  p50: ['p50Ms', 0.5],
  p75: ['p75Ms', 0.75],
  p90: ['p90Ms', 0.9],
  p95: ['p95Ms', 0.95],
  p99: ['p99Ms', 0.99],
  'p99.9': ['p999Ms', 0.999],
  max: ['worstMs', 1],
} as const;
/** Their names, in order. */
export const LATENCY_NAMES: readonly Latency[] = Object.keys(LATENCIES) as Latency[];
/** Requests of a kind: a share in percent, or how many. */
const KINDS = ['errors', 'failed', 'throttled'] as const;
/** Of the whole run alone. */
const OF_THE_RUN = ['violations', 'dropped', 'slower', 'drift', 'recovery'] as const;
/** How many times as slow a later part of a run is as an earlier one. */
const CHANGES = ['drift', 'recovery'] as const;

/** A percentile of latency, or the slowest. */
export type Latency = keyof typeof LATENCIES;
/** A kind of requests. */
export type Kind = (typeof KINDS)[number];
/** What a threshold speaks of. */
export type ThresholdMetric = Latency | Kind | (typeof OF_THE_RUN)[number] | 'rate';

const METRICS: readonly ThresholdMetric[] = [...LATENCY_NAMES, ...KINDS, ...OF_THE_RUN, 'rate'];

type Comparison = '<' | '<=' | '>' | '>=' | '==';

const COMPARISONS: Readonly<Record<Comparison, (measured: number, bound: number) => boolean>> = {
  '<': (measured, bound) => measured < bound,
  '<=': (measured, bound) => measured <= bound,
  '>': (measured, bound) => measured > bound,
  '>=': (measured, bound) => measured >= bound,
  '==': (measured, bound) => measured === bound,
};

/** In what a threshold is measured: milliseconds or seconds, percent, requests a second, times, or a count. */
export type Unit = 'ms' | 's' | '%' | '/s' | 'x' | '';

/** Which requests a threshold speaks of; all of the run where nothing is named. */
export interface Selection {
  readonly step?: string;
  readonly operation?: string;
}

/** A threshold as it was read. */
export interface Threshold extends Selection {
  /** As it was written, without blanks but those of names. */
  readonly expression: string;
  readonly metric: ThresholdMetric;
  /** Of a latency: that of served answers alone, in place of that of all that was not throttled. */
  readonly of?: 'served';
  readonly comparison: Comparison;
  /** In the unit. */
  readonly bound: number;
  readonly unit: Unit;
}

/** Whether such a value holds a threshold. */
export function compares({ comparison, bound }: Threshold, measured: number): boolean {
  return COMPARISONS[comparison](measured, bound);
}

function isComparison(text: string): text is Comparison {
  return Object.hasOwn(COMPARISONS, text);
}

const LONGEST = 200;
const EXAMPLES =
  'p99<300ms, p95<=0.3s, errors<0.1%, drift<2x, throttled<5%, violations==0, rate>=100/s, OPERATION:p99<300ms, or p99{step:hold,operation:OPERATION,of:served}<300ms';
const FORM =
  /^(?:([^:<>={}]*):)?([^:<>={}]*)(?:\{([^{}]*)\})?(<=|>=|==|<|>|=)(\d+(?:\.\d+)?)([^\d.].*)?$/;
const SELECTORS = ['step', 'operation', 'of'] as const;

/**
 * Reads `[operation:]metric[{step:…,operation:…,of:served}] comparison number[unit]`.
 *
 * - `p50`, `p75`, `p90`, `p95`, `p99`, `p99.9`, `max`: latency in ms or s, of all that was not throttled, or with `of:served`
 *   of served answers. Errors come after all that was served, and lie beyond any bound
 * - `errors`: client and server errors, broken off and unanswered, of all that was not throttled
 * - `failed`: what had no whole answer, of all that was not throttled · `throttled`: of all that was sent;
 *   these in percent, or as counts without a unit
 * - `rate`: served answers a second
 * - `violations`: broken rules that fail a run · `dropped`: requests that were never sent · `slower`:
 *   percentiles that are slower than in earlier runs; of the whole run alone
 * - `drift`: how many times as slow the last tenth of the longest step is as its first · `recovery`: the same of
 *   the usual rate after a peak and before; by medians, beyond chance and 20 ms
 *
 * @throws ThresholdError
 */
export function parseThreshold(text: string): Threshold {
  const expression = withoutBlanks(text);
  const refuse = (why: string): never => {
    throw new ThresholdError(
      `the threshold "${expression.slice(0, LONGEST)}" ${why}. Thresholds look like ${EXAMPLES}.`,
    );
  };
  if (expression.length > LONGEST) refuse(`is longer than ${LONGEST} characters`);
  const [whole, prefix, metric = '', braces, comparison = '', number = '', unit = ''] =
    FORM.exec(expression) ?? [];
  if (whole === undefined) return refuse('cannot be read');
  const known = METRICS.find((one) => one === metric);
  if (known === undefined)
    return refuse(`speaks of "${metric}", which is none of ${METRICS.join(', ')}`);
  if (!isComparison(comparison)) return refuse(`compares with "${comparison}": write ==`);
  const units = unitsOf(known);
  const inUnit = units.find((one) => one === unit);
  if (inUnit === undefined) {
    const wanted = units.map((one) => (one === '' ? 'no unit' : one)).join(' or ');
    return refuse(`has the unit "${unit}", and ${known} is measured in ${wanted}`);
  }
  if (prefix === '') refuse('names no operation before its colon');
  const selected = selectorsIn(braces, refuse);
  if (prefix !== undefined && selected.operation !== undefined) refuse('names two operations');
  const operation = prefix ?? selected.operation;
  const { step, of } = selected;
  if ((operation ?? step) !== undefined && OF_THE_RUN.some((one) => one === known)) {
    refuse(`speaks of a part of the run, and ${known} are counted over the whole run`);
  }
  if (of !== undefined && (of !== 'served' || !isLatency(known))) {
    refuse('says "of" otherwise than a latency may: of:served');
  }
  return {
    expression,
    ...given({ step, operation }),
    ...(of === undefined ? {} : { of: 'served' }),
    metric: known,
    comparison,
    bound: Number(number),
    unit: inUnit,
  };
}

/** Names keep the blanks within them. */
function withoutBlanks(text: string): string {
  return text
    .split(/(\{[^{}]*\})/)
    .map((part, at) =>
      at % 2 === 0
        ? part.replace(/\s+/g, '')
        : part.replace(/\s+/g, ' ').replace(/ ?([{}:,]) ?/g, '$1'),
    )
    .join('');
}

type Selectors = Partial<Record<(typeof SELECTORS)[number], string>>;

function selectorsIn(braces: string | undefined, refuse: (why: string) => never): Selectors {
  const found: Selectors = {};
  for (const part of braces?.split(',') ?? []) {
    const [name = '', ...rest] = part.split(':');
    const known = SELECTORS.find((one) => one === name);
    const value = rest.join(':');
    if (known === undefined || value === '' || found[known] !== undefined) {
      refuse(`has "${part}" in its braces, which hold ${SELECTORS.join(', ')}, each with a value`);
    } else found[known] = value;
  }
  return found;
}

function unitsOf(metric: ThresholdMetric): readonly Unit[] {
  if (isLatency(metric)) return ['ms', 's'];
  if (isKind(metric)) return ['%', ''];
  if (isChange(metric)) return ['x'];
  return metric === 'rate' ? ['/s'] : [''];
}

/** Whether a metric is one of latency. */
export function isLatency(metric: ThresholdMetric): metric is Latency {
  return metric in LATENCIES;
}

/** Whether a metric compares two parts of a run. */
export function isChange(metric: ThresholdMetric): metric is (typeof CHANGES)[number] {
  return (CHANGES as readonly string[]).includes(metric);
}

/** Whether a metric counts requests of a kind. */
export function isKind(metric: ThresholdMetric): metric is Kind {
  return (KINDS as readonly string[]).includes(metric);
}

/** What an expression speaks of; undefined where it is none, as a record may hold anything. */
export function metricOf(expression: string): ThresholdMetric | undefined {
  const metric = FORM.exec(expression)?.[2];
  return METRICS.find((one) => one === metric);
}
