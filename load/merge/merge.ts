import type {
  LoadStepRow,
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
import { given } from '../../contracts/wire/json.ts';
import { isAboutThrottling, limiterMet, mayThrottle } from '../limiter-met.ts';
import { groupsOf } from '../../contracts/wire/groups.ts';
import { addedErrors } from '../samples/error-rows.ts';
import { summed, total } from '../sums.ts';
import { keptUp } from '../sustained.ts';
import { worstOf } from '../thresholds.ts';
import { togetherInvalid } from '../validity.ts';
import type { PlacedPart } from './part.ts';
import { partId } from './part-exchanges.ts';
import { addedRows, mergedMoments } from './rows.ts';

/** What is decided again on the merged figures. */
export type Decided = Pick<RunLoad, 'thresholds' | 'invalid' | 'invalidOnly'>;

/** What is added up of a part. */
export type MergedPart = Pick<PlacedPart, 'index' | 'load'>;

/**
 * Adds up the parts of a run on several machines. Counts and histograms are added, and percentiles read
 * from the sums; none is ever averaged. How late the generator was is that of the worst part.
 *
 * @param parts in their order, one at least
 * @param held the thresholds that the whole is held to
 * @param decide compares thresholds and validity with the merged figures, which the parts' own say nothing of
 * @throws {NotAHistogram} when a record holds something else in place of one
 */
export function mergeLoads(
  parts: readonly MergedPart[],
  held: readonly Pick<Threshold, 'metric'>[],
  decide: (load: RunLoad) => Decided,
): RunLoad {
  const loads = parts.map(({ load }) => load);
  const judged = loads.map((load) => load.judged);
  const [first] = loads;
  if (first === undefined) throw new Error('there are no parts');
  const { generator, ...rows } = addedRows(loads, (seconds) => Math.max(...seconds));
  const merged: RunLoad = given({
    scenario: first.scenario,
    engine: first.engine,
    warmUpSeconds: first.warmUpSeconds,
    ...rows,
    moments: mergedMoments(loads.flatMap(({ moments }) => moments)),
    ...addedErrors(loads),
    judged: {
      ...summed(['answers', 'of', 'kept'], judged),
      ...mergedNames(judged),
      ...mergedByAll(judged),
      ...mergedLeftOut(judged),
    },
    violations: mergedViolations(parts),
    thresholds: [],
    breakpoint: mergedBreakpoint(loads),
    // A run is over with the first of its parts that is.
    aborted: loads
      .flatMap((one) => one.aborted ?? [])
      .sort((a, b) => a.atSeconds - b.atSeconds)
      .at(0),
    unanswered: total(loads.map((one) => one.unanswered ?? 0)) || undefined,
    generator,
    invalid: [],
    unprepared: mergedUnprepared(loads),
    mayThrottle: mayThrottle({ expectsThrottling: loads.some(isAboutThrottling) }, held),
    comesBack: first.comesBack,
    machine: first.machine,
    machines: loads.flatMap(({ machine }) => machine ?? []),
  });
  const { thresholds, ...own } = decide(merged);
  /** As long in all parts, as none was cut short. */
  const isWhole = ({ seconds }: LoadStepRow, at: number): boolean =>
    loads.every(({ steps }) => steps[at]?.seconds === seconds);
  const ofParts = parts.map(({ index, load }) => ({
    ...load,
    invalid: load.invalid.map((why) => `Part ${index}: ${why}`),
  }));
  return {
    ...merged,
    ...limiterMet(merged),
    // A part whose rates do not count has none, and then the whole has none.
    ...(loads.every((one) => one.keptUpPerSecond !== undefined) ? keptUp(merged, isWhole) : {}),
    thresholds: thresholds.map((one) => asItBroke(one, merged, loads)),
    ...togetherInvalid([...ofParts, own]),
  };
}

/** Each part compared the names of its own answers. */
function mergedNames(judged: readonly RunLoad['judged'][]): Pick<RunLoad['judged'], 'names'> {
  const names = new Map<string, number>();
  for (const [rule, count] of judged.flatMap((one) => Object.entries(one.names ?? {}))) {
    names.set(rule, (names.get(rule) ?? 0) + count);
  }
  return names.size === 0 ? {} : { names: Object.fromEntries(names) };
}

/** Nobody knows it of all if it is not known of one. */
function mergedLeftOut(judged: readonly RunLoad['judged'][]): Pick<RunLoad['judged'], 'leftOut'> {
  const known = judged.flatMap(({ leftOut }) => leftOut ?? []);
  return known.length < judged.length ? {} : { leftOut: summed(['asked', 'late'], known) };
}

/** Of parts that one engine judged. */
function mergedByAll(judged: readonly RunLoad['judged'][]): Pick<RunLoad['judged'], 'byAll'> {
  if (judged.every(({ byAll }) => byAll === undefined)) return {};
  return { byAll: total(judged.map(({ byAll, answers }) => byAll ?? answers)) };
}

/** What no part was served before its load. */
function mergedUnprepared(loads: readonly RunLoad[]): RunLoad['unprepared'] {
  const sent = new Set(loads.flatMap(({ operations }) => operations.map((one) => one.operation)));
  const left = loads.flatMap(({ unprepared = [] }) => unprepared);
  const unprepared = [...new Set(left)].filter((operation) => !sent.has(operation));
  return unprepared.length === 0 ? undefined : unprepared;
}

/** By rule; the first is that of the earliest step, and of the first part among those. */
function mergedViolations(parts: readonly MergedPart[]): LoadViolation[] {
  const found = parts.flatMap(({ index, load: { violations } }) =>
    violations.map((one) => ({
      ...one,
      // k6 counts violations whose exchanges nobody kept.
      firstExchange: one.firstExchange === '' ? '' : partId(index, one.firstExchange),
    })),
  );
  const mostSteps = Math.max(0, ...parts.map(({ load }) => load.steps.length));
  return groupsOf(found, ({ rule }) => rule).map((all) => {
    const { rule, firstStep, firstExchange } = all.reduce((first, one) =>
      one.firstStep < first.firstStep ? one : first,
    );
    const bySteps = Array.from({ length: mostSteps }, (_, at) => {
      const inStep = all.flatMap((one) => one.bySteps[at] ?? []);
      return summed(['judged', 'broken'], inStep);
    });
    return { rule, ...summed(['count'], all), firstStep, firstExchange, bySteps };
  });
}

/**
 * A run for the breakpoint is over with the first of its parts that breaks: after that the others have
 * less beside them.
 */
function mergedBreakpoint(loads: readonly RunLoad[]): RunLoad['breakpoint'] {
  const found = loads.flatMap(({ breakpoint }) => breakpoint ?? []);
  if (found.length === 0) return undefined;
  const step = Math.min(...found.map((one) => one.step));
  const thresholds = found.filter((one) => one.step === step).flatMap((one) => one.thresholds);
  return { step, thresholds: [...new Set(thresholds)] };
}

/**
 * A threshold that ended the run, as the part that it ended had measured it in that step; one that compares parts of
 * the run, which histograms do not distinguish, as the worst of the records has it.
 */
function asItBroke(one: LoadThreshold, merged: RunLoad, loads: readonly RunLoad[]): LoadThreshold {
  const { expression } = one;
  const metric = metricOf(expression);
  if (metric !== undefined && isChange(metric)) {
    return (
      worstOf(loads.map(({ thresholds }) => ofPart(parseThreshold(expression), thresholds))) ?? one
    );
  }
  const own = (some: readonly RunLoad[]): LoadThreshold[] =>
    some.flatMap(({ thresholds }) => thresholds.filter((other) => other.expression === expression));
  const aborted = loads.filter((load) => load.aborted?.threshold === expression);
  const broken = loads
    .filter((load) => load.breakpoint?.step === merged.breakpoint?.step)
    .filter((load) => load.breakpoint?.thresholds.includes(expression) === true);
  return own([...broken, ...aborted])[0] ?? one;
}

/** What a part says of a comparison, be it that it was held to another bound; not known if that says nothing. */
function ofPart(wanted: Threshold, held: readonly LoadThreshold[]): LoadThreshold {
  const { expression, metric, comparison, bound } = wanted;
  const own = held.find((one) => one.expression === expression);
  if (own !== undefined) return own;
  const other = held.find((one) => metricOf(one.expression) === metric);
  const open: LoadThreshold = { expression, held: false, ...given({ limiter: other?.limiter }) };
  if (other?.measured === undefined || !comparison.startsWith('<')) return open;
  const { measured } = other;
  if (measured < bound) return { expression, measured, held: true };
  // What is beyond chance above a bound is so above a lower one.
  const isLower = bound <= parseThreshold(other.expression).bound;
  return !other.held && isLower ? { ...other, expression } : open;
}
