import type {
  LoadGenerator,
  LoadThreshold,
  LoadViolation,
  RunLoad,
} from '../../contracts/run/load/load-run.ts';
import {
  isChange,
  metricOf,
  parseThreshold,
  type Threshold,
} from '../../contracts/run/load/threshold.ts';
import { limiterMet } from '../limiter-met.ts';
import type { LoadPart, PlacedPart } from './part.ts';
import { placedParts } from './part.ts';
import { partId } from './part-exchanges.ts';
import { keptUp } from '../sustained.ts';
import { worstOf } from '../thresholds.ts';
import { togetherInvalid } from '../validity.ts';
import {
  mergedCells,
  mergedMoments,
  mergedOperations,
  mergedRow,
  mergedStep,
  total,
} from './rows.ts';

/** What is decided again on the merged figures. */
export type Decided = Pick<RunLoad, 'thresholds' | 'invalid' | 'invalidOnly'>;

/** How parts become one run. */
export interface MergeOptions {
  /** Compares thresholds and validity with the merged figures, which the parts' own say nothing of. */
  readonly decide: (load: RunLoad) => Decided;
}

/**
 * Adds up the parts of a run on several machines. Counts and histograms are added, and percentiles read
 * from the sums; none is ever averaged. How late the generator was is that of the worst part.
 *
 * @throws {UnfitParts} when a part is missing or doubled, or they are of different runs
 * @throws {NotAHistogram} when a record holds something else in place of one
 */
export function mergeLoads(parts: readonly LoadPart[], { decide }: MergeOptions): RunLoad {
  const placed = placedParts(parts);
  const loads = placed.map(({ load }) => load);
  const [first] = loads;
  if (first === undefined) throw new Error('there are no parts');
  const machines = loads.flatMap(({ machine }) => machine ?? []);
  const mostSteps = Math.max(...loads.map(({ steps }) => steps.length));
  const merged: RunLoad = {
    scenario: first.scenario,
    engine: first.engine,
    whole: mergedRow(loads.map(({ whole }) => whole)),
    steps: Array.from({ length: mostSteps }, (_, at) =>
      mergedStep(loads.flatMap(({ steps }) => steps[at] ?? [])),
    ).filter((step) => step !== undefined),
    operations: mergedOperations(loads.map(({ operations }) => operations)),
    ...mergedCells(loads),
    moments: mergedMoments(loads.map(({ moments }) => moments)),
    judged: {
      answers: total(loads.map(({ judged }) => judged.answers)),
      of: total(loads.map(({ judged }) => judged.of)),
      kept: total(loads.map(({ judged }) => judged.kept)),
      ...mergedNames(loads),
    },
    violations: mergedViolations(placed),
    thresholds: [],
    ...mergedBreakpoint(loads),
    ...mergedAborted(loads),
    generator: mergedGenerator(loads.map(({ generator }) => generator)),
    invalid: [],
    ...mergedUnprepared(loads),
    ...(first.machine === undefined ? {} : { machine: first.machine }),
    machines,
  };
  const { thresholds, ...own } = decide(merged);
  const ofParts = placed.map(({ index, load: { invalid, invalidOnly } }) => ({
    invalid: invalid.map((why) => `Part ${index}: ${why}`),
    ...(invalidOnly === undefined ? {} : { invalidOnly }),
  }));
  return {
    ...merged,
    ...mergedLimiter(merged, loads, thresholds),
    // A part whose rates do not count tells none, and then the whole tells none.
    ...(loads.every((one) => one.keptUpPerSecond !== undefined) ? keptUp(merged) : {}),
    thresholds: thresholds.map((one) => asItBroke(one, merged, loads)),
    ...togetherInvalid([...ofParts, own]),
  };
}

/** Each part compared the names of its own answers. */
function mergedNames(loads: readonly RunLoad[]): Pick<RunLoad['judged'], 'names'> {
  const names = new Map<string, number>();
  for (const { judged } of loads) {
    for (const [rule, count] of Object.entries(judged.names ?? {})) {
      names.set(rule, (names.get(rule) ?? 0) + count);
    }
  }
  return names.size === 0 ? {} : { names: Object.fromEntries(names) };
}

/** What no part was served before its load. */
function mergedUnprepared(loads: readonly RunLoad[]): Pick<RunLoad, 'unprepared'> {
  const sent = new Set(loads.flatMap(({ operations }) => operations.map((one) => one.operation)));
  const left = loads.flatMap(({ unprepared = [] }) => unprepared);
  const unprepared = [...new Set(left)].filter((operation) => !sent.has(operation));
  return unprepared.length === 0 ? {} : { unprepared };
}

/** Whether the whole measured the limiter, where some part did; what it is held to may say otherwise now. */
function mergedLimiter(
  merged: RunLoad,
  loads: readonly RunLoad[],
  thresholds: readonly LoadThreshold[],
): Pick<RunLoad, 'limiter'> {
  if (loads.every(({ limiter }) => limiter === undefined)) return {};
  const stated = thresholds.flatMap(({ expression }) => {
    const metric = metricOf(expression);
    return metric === undefined ? [] : [{ metric }];
  });
  return limiterMet(merged, {}, stated);
}

/** By rule; the first is that of the earliest step, and of the first part among those. */
function mergedViolations(parts: readonly PlacedPart[]): LoadViolation[] {
  const byRule = new Map<string, LoadViolation[]>();
  for (const { index, load } of parts) {
    for (const one of load.violations) {
      // k6 tells of violations whose exchanges nobody kept.
      const firstExchange = one.firstExchange === '' ? '' : partId(index, one.firstExchange);
      byRule.set(one.rule, [...(byRule.get(one.rule) ?? []), { ...one, firstExchange }]);
    }
  }
  const mostSteps = Math.max(0, ...parts.map(({ load }) => load.steps.length));
  return [...byRule].map(([rule, all]) => {
    const firstStep = Math.min(...all.map((one) => one.firstStep));
    const { firstExchange = '' } = all.find((one) => one.firstStep === firstStep) ?? {};
    const bySteps = Array.from({ length: mostSteps }, (_, at) => ({
      judged: total(all.map((one) => one.bySteps[at]?.judged ?? 0)),
      broken: total(all.map((one) => one.bySteps[at]?.broken ?? 0)),
    }));
    return { rule, count: total(all.map(({ count }) => count)), firstStep, firstExchange, bySteps };
  });
}

/**
 * A run for the breakpoint is over with the first of its parts that breaks: after that the others have
 * less beside them.
 */
function mergedBreakpoint(loads: readonly RunLoad[]): Pick<RunLoad, 'breakpoint'> {
  const found = loads.flatMap(({ breakpoint }) => breakpoint ?? []);
  if (found.length === 0) return {};
  const step = Math.min(...found.map((one) => one.step));
  const thresholds = found.filter((one) => one.step === step).flatMap((one) => one.thresholds);
  return { breakpoint: { step, thresholds: [...new Set(thresholds)] } };
}

/** A run is over with the first of its parts that is. */
function mergedAborted(loads: readonly RunLoad[]): Pick<RunLoad, 'aborted'> {
  const [aborted] = loads
    .flatMap((one) => one.aborted ?? [])
    .sort((a, b) => a.atSeconds - b.atSeconds);
  return aborted === undefined ? {} : { aborted };
}

/**
 * A threshold that ended the run, as the part that it ended had measured it in that step; one that compares parts of
 * the run, which histograms do not tell apart, as the worst of the records has it.
 */
function asItBroke(
  one: LoadThreshold,
  { breakpoint }: RunLoad,
  loads: readonly RunLoad[],
): LoadThreshold {
  const { expression } = one;
  const metric = metricOf(expression);
  if (metric !== undefined && isChange(metric)) {
    return (
      worstOf(loads.map(({ thresholds }) => ofPart(parseThreshold(expression), thresholds))) ?? one
    );
  }
  const broken = loads
    .filter((load) => load.breakpoint?.step === breakpoint?.step)
    .filter((load) => load.breakpoint?.thresholds.includes(expression) === true)
    .flatMap(({ thresholds }) => thresholds.filter((other) => other.expression === expression));
  return broken[0] ?? one;
}

/** What a part says of a comparison, be it that it was held to another bound; not known where that tells nothing. */
function ofPart(wanted: Threshold, held: readonly LoadThreshold[]): LoadThreshold {
  const { expression, metric, comparison, bound } = wanted;
  const open: LoadThreshold = { expression, held: false };
  const own = held.find((one) => one.expression === expression);
  if (own !== undefined) return own;
  const other = held.find((one) => metricOf(one.expression) === metric);
  if (other?.measured === undefined || !comparison.startsWith('<')) return open;
  const { measured } = other;
  if (measured < bound) return { expression, measured, held: true };
  // What is beyond chance above a bound is so above a lower one.
  const isLower = bound <= parseThreshold(other.expression).bound;
  return !other.held && isLower ? { ...other, expression } : open;
}

/** How well the generators of several runs kept their schedules: as the worst of them did. */
export function mergedGenerator(all: readonly LoadGenerator[]): LoadGenerator {
  const cpu = all.flatMap(({ cpuSeconds }) => cpuSeconds ?? []);
  const busy = all.flatMap(({ eventLoopUtilization }) => eventLoopUtilization ?? []);
  return {
    // No percentile of the whole follows from theirs; it is none above this.
    fireLagP99Ms: Math.max(...all.map(({ fireLagP99Ms }) => fireLagP99Ms)),
    ...addedIfAll('lateRequests', all),
    ...addedIfAll('hiccups', all),
    ...(busy.length === 0 ? {} : { eventLoopUtilization: Math.max(...busy) }),
    waitedAtCeiling: total(all.map(({ waitedAtCeiling }) => waitedAtCeiling)),
    dropped: total(all.map(({ dropped }) => dropped)),
    ...(cpu.length < all.length ? {} : { cpuSeconds: total(cpu) }),
  };
}

/** The sum of what each of them counted; nothing where one did not count. */
function addedIfAll(
  name: 'lateRequests' | 'hiccups',
  all: readonly LoadGenerator[],
): Partial<Record<typeof name, number>> {
  const counted = all.flatMap((one) => one[name] ?? []);
  return counted.length < all.length ? {} : { [name]: total(counted) };
}
