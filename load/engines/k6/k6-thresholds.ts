import { METRICS } from '../../k6/metrics.ts';

/** A threshold of the user, as far as k6 must know it. */
export interface StatedThreshold {
  readonly operation?: string;
  /** One of the steps; those of single steps are left to whoever reads the samples. */
  readonly step?: string;
  /** e.g. `p99`, `max`, `errors`, `violations`. */
  readonly metric: string;
  /** e.g. `<`. */
  readonly comparison: string;
  readonly bound: number;
  readonly unit: 'ms' | 's' | '%' | '/s' | 'x' | '';
}

/** Thresholds as k6 writes them, by metric; those that it cannot tell are left to whoever reads its samples. */
export function k6Thresholds(
  stated: readonly StatedThreshold[],
): Record<string, readonly string[]> | undefined {
  const thresholds: Record<string, string[]> = {};
  for (const one of stated) {
    const reported = asK6(one);
    if (reported === undefined) continue;
    const [metric, expression] = reported;
    (thresholds[metric] ??= []).push(expression);
  }
  return Object.keys(thresholds).length === 0 ? undefined : thresholds;
}

/** Whether any of them needs the rate of errors. */
export function countsErrors(stated: readonly StatedThreshold[]): boolean {
  return stated.some(
    ({ metric, unit, step }) => metric === 'errors' && unit === '%' && step === undefined,
  );
}

function asK6(threshold: StatedThreshold): readonly [string, string] | undefined {
  const { operation, step, metric, comparison, bound, unit } = threshold;
  if (step !== undefined) return undefined;
  const quantile = /^p([0-9]+(?:\.[0-9]+)?)$/.exec(metric)?.[1];
  if (quantile !== undefined || metric === 'max') {
    const limitMs = unit === 's' ? bound * 1000 : bound;
    // Of all answers, and from when they were sent: Assay's own count from when they were due, and decide.
    const tag = operation === undefined ? '' : `{name:${operation}}`;
    const name = metric === 'max' ? 'max' : `p(${String(quantile)})`;
    return [`http_req_duration${tag}`, `${name}${comparison}${limitMs}`];
  }
  // The rest is kept of the run as a whole.
  if (operation !== undefined) return undefined;
  if (metric === 'errors' && unit === '%') {
    return [METRICS.errors, `rate${comparison}${bound / 100}`];
  }
  if (metric === 'violations') return [METRICS.violations, `count${comparison}${bound}`];
  if (metric === 'dropped') return ['dropped_iterations', `count${comparison}${bound}`];
  return undefined;
}
