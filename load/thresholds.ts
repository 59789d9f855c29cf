/** Thresholds of a load run, compared with what was measured. */

import { errorsOf, notThrottledOf } from '../contracts/run/load/fates.ts';
import { given } from '../contracts/wire/json.ts';
import { isMeasured } from '../contracts/run/load/load-outcome.ts';
import {
  latencyOf,
  limiterOf,
  type SelectedRow,
  selectedRow,
} from '../contracts/run/load/selected-row.ts';
import type {
  LoadCounts,
  LoadThreshold,
  RunLoad,
  ThrottledPart,
} from '../contracts/run/load/load-run.ts';
import {
  compares,
  isChange,
  isKind,
  isLatency,
  type Kind,
  LATENCIES,
  type Selection,
  type Threshold,
  type Unit,
} from '../contracts/run/load/threshold.ts';
import type { LoadStep } from './scenarios/scenario.ts';
import { type Change, driftOf, recoveryOf } from './changes.ts';
import { latencyWithoutLate } from './samples/counts.ts';
import { total } from './sums.ts';

/** What thresholds are compared with: a run, or one step of it. */
export interface Measured {
  /** The row of what a threshold speaks of, and the seconds that it took; undefined where there is none. */
  readonly rowOf: (selection: Selection) => SelectedRow | undefined;
  /** Broken rules that fail a run; absent where nothing was judged. */
  readonly violations?: number;
  readonly dropped: number;
  /** Requests that the generator sent or read late, in any of the operations, of rows that do not count their own. */
  readonly late?: number;
  /** Whether rows of which much was throttled are of the limiter, so that nothing is known of their times and rates. */
  readonly isLimited?: boolean;
  /** Of one part of the run against another; absent where there are no parts. */
  readonly changes?: Readonly<Record<'drift' | 'recovery', Change | ThrottledPart | undefined>>;
  readonly lagMs?: number;
}

/**
 * The measurements of a whole run.
 *
 * @param planned the steps of its scenario; without them no part of it is compared with another
 */
export function measuredOf(
  load: RunLoad,
  failsRun: (rule: string) => boolean,
  planned: readonly LoadStep[] = [],
): Measured {
  const { judged, violations, generator } = load;
  const counted = violations.filter(({ rule }) => failsRun(rule));
  return {
    rowOf: (selection) => selectedRow(load, selection),
    dropped: generator.dropped,
    late: generator.lateRequests ?? 0,
    ...given({ lagMs: generator.fireLagP99Ms }),
    isLimited: load.mayThrottle !== true,
    ...(planned.length === 0
      ? {}
      : { changes: { drift: driftOf(load), recovery: recoveryOf(load, planned) } }),
    ...(judged.answers === 0 ? {} : { violations: total(counted.map(({ count }) => count)) }),
  };
}

/** Compares a threshold with what was measured; where nothing was, it is not held. */
export function heldAgainst(threshold: Threshold, measured: Measured): LoadThreshold {
  const { expression, metric } = threshold;
  if (isChange(metric)) return heldOnChange(threshold, measured, measured.changes?.[metric]);
  const limiter = limiterIn(threshold, measured);
  if (limiter !== undefined) return { expression, held: false, limiter };
  const value = valueOf(threshold, measured);
  if (value === undefined || Number.isNaN(value)) return { expression, held: false };
  const held = compares(threshold, value);
  if (value === Infinity) return { expression, held, beyond: true };
  const isOnlyLate = !held && compares(threshold, withoutLate(threshold, measured) ?? value);
  return { expression, measured: value, held, ...(isOnlyLate ? { onlyLate: true } : {}) };
}

/** How much was throttled of a part that a threshold names, where its times and rates are those of the limiter. */
function limiterIn(threshold: Threshold, measured: Measured): ThrottledPart | undefined {
  const { metric, step, operation } = threshold;
  // Of the whole run its outcome says it.
  if (measured.isLimited !== true || isKind(metric) || (step ?? operation) === undefined)
    return undefined;
  const found = measured.rowOf(threshold);
  return found && limiterOf(found.row);
}

/** Less is no change that anybody notices. */
const MIN_CHANGE_MS = 20;

/** A change is beyond its bound where it is beyond chance, too, and more than the generator's own lag. */
function heldOnChange(
  threshold: Threshold,
  { lagMs = 0 }: Measured,
  change: Change | ThrottledPart | undefined,
): LoadThreshold {
  const { expression } = threshold;
  if (change === undefined) return { expression, held: false };
  if ('sent' in change) return { expression, held: false, limiter: change };
  const { beforeMs, afterMs, times: measured, leastTimes, mostTimes } = change;
  const isWithin = (times: number): boolean => compares(threshold, times);
  if (isWithin(measured)) return { expression, measured, held: true };
  const isSmall =
    Math.abs(afterMs - beforeMs) <= MIN_CHANGE_MS || isWithin(leastTimes) || isWithin(mostTimes);
  if (isSmall) return { expression, measured, held: true, withinChance: true };
  const isOfLag = lagMs >= Math.abs(afterMs - beforeMs);
  return { expression, measured, held: false, ...(isOfLag ? { onlyLate: true } : {}) };
}

/** Of what several parts or rounds of a run came to, the worst: broken, not known, or the greatest. */
export function worstOf(all: readonly LoadThreshold[]): LoadThreshold | undefined {
  const rank = (one: LoadThreshold): number => (!isMeasured(one) ? 1 : one.held ? 2 : 0);
  const value = ({ measured = 0, beyond }: LoadThreshold): number =>
    beyond === true ? Number.MAX_VALUE : measured;
  return [...all].sort((a, b) => rank(a) - rank(b) || value(b) - value(a))[0];
}

/**
 * The latency that a threshold speaks of if those that left late were the slowest of all, as they may be
 * for that reason alone; undefined of any other threshold, and where all may have been late.
 */
function withoutLate(threshold: Threshold, measured: Measured): number | undefined {
  const { metric, unit, of } = threshold;
  const row = measured.rowOf(threshold)?.row;
  if (row === undefined || !isLatency(metric)) return undefined;
  const { late = measured.late ?? 0 } = row.counts;
  if (late === 0) return undefined;
  const ms = latencyWithoutLate(row, of, LATENCIES[metric][1], late);
  return unit === 's' ? ms / 1000 : ms;
}

/**
 * Compares a threshold on `slower` with what is known to be slower, and what may be: decided where both
 * come to the same.
 */
export function heldOnSlower(
  threshold: Threshold,
  { least, most }: { readonly least: number; readonly most: number },
): LoadThreshold {
  const { expression, comparison, bound } = threshold;
  const held = compares(threshold, least);
  const isBetween = comparison === '==' && least !== most && least <= bound && bound <= most;
  if (isBetween || held !== compares(threshold, most)) return { expression, held: false };
  return { expression, measured: least, held };
}

/** What a threshold speaks of, in its unit; undefined where nothing of it was measured. */
function valueOf(threshold: Threshold, measured: Measured): number | undefined {
  const { metric, unit, of } = threshold;
  const { violations, dropped } = measured;
  if (metric === 'violations') return violations;
  if (metric === 'dropped') return dropped;
  // Known once the run is over and was compared.
  if (metric === 'slower' || isChange(metric)) return undefined;
  const found = measured.rowOf(threshold);
  if (found === undefined || found.row.counts.sent === 0) return undefined;
  const { row, seconds } = found;
  if (isKind(metric)) return shareOf(metric, row.counts, unit);
  if (metric === 'rate') return seconds > 0 ? row.counts.served / seconds : undefined;
  const ms = latencyOf(row, metric, of);
  return ms !== undefined && unit === 's' ? ms / 1000 : ms;
}

function shareOf(kind: Kind, counts: LoadCounts, unit: Unit): number | undefined {
  const some = kind === 'errors' ? errorsOf(counts) : counts[kind];
  const all = kind === 'throttled' ? counts.sent : notThrottledOf(counts);
  if (unit === '') return some;
  return all === 0 ? undefined : (100 * some) / all;
}
