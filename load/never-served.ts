import { errorsOf, notThrottledOf } from '../contracts/run/load/fates.ts';
import type { LoadThreshold, RunLoad } from '../contracts/run/load/load-run.ts';
import { compares, parseThreshold, type Threshold } from '../contracts/run/load/threshold.ts';

/** Fewer errors of an operation may be chance. */
const MIN_ERRORS = 5;
/** Nor may all of them be errors for what the others meet, but this rarely. */
const CHANCE = 0.01;

/**
 * What a load came to, with a broken threshold on each operation that was served before the load and came to
 * errors alone under it, as rare as it may be among all. None on those whose errors are switched off.
 */
export function withNeverServed(
  { whole, operations }: Pick<RunLoad, 'whole' | 'operations'>,
  held: readonly LoadThreshold[],
): readonly LoadThreshold[] {
  const written = held.map(({ expression }) => parseThreshold(expression));
  const never = operations.filter(({ operation, counts }) => {
    const errors = errorsOf(counts);
    if (counts.served > 0 || errors < MIN_ERRORS) return false;
    const others = notThrottledOf(whole.counts) - errors;
    const failing = (errorsOf(whole.counts) - errors) / Math.max(1, others);
    if (whole.counts.served > 0 && failing ** errors > CHANCE) return false;
    return !isSwitchedOff(operation, written);
  });
  const added = never.map(({ operation }) => ({
    ...{ expression: expressionOf(operation), measured: 100, held: false },
  }));
  const isNew = ({ expression }: LoadThreshold): boolean =>
    !held.some((one) => one.expression === expression);
  return [...held, ...added.filter(isNew)];
}

/** Whether a threshold may be one that was added so, which others switch off. */
export function isNeverServedOff(
  { expression, operation }: Threshold,
  others: readonly Threshold[],
): boolean {
  if (operation === undefined || expression !== expressionOf(operation)) return false;
  return isSwitchedOff(operation, others);
}

function expressionOf(operation: string): string {
  return `${operation}:errors<100%`;
}

function isSwitchedOff(operation: string, thresholds: readonly Threshold[]): boolean {
  return thresholds.some(
    (one) =>
      one.metric === 'errors' &&
      one.unit === '%' &&
      one.step === undefined &&
      (one.operation ?? operation) === operation &&
      compares(one, 100),
  );
}
