import { ERROR_FATES } from '../../contracts/run/load/fates.ts';
import type {
  LoadCounts,
  LoadGenerator,
  LoadMoment,
  LoadRow,
  LoadStepRow,
  RunLoad,
} from '../../contracts/run/load/load-run.ts';
import { given } from '../../contracts/wire/json.ts';
import { groupsOf } from '../../contracts/wire/groups.ts';
import { mostOf, summed, summedLists, total, totalOfAll } from '../sums.ts';
import { latenciesOf, sumOfTexts } from '../samples/counts.ts';

/** What is added up alike, whether runs of one schedule were sent beside each other or one after another. */
export type AddedRows = Pick<RunLoad, 'whole' | 'steps' | 'operations' | 'cells' | 'generator'>;

/**
 * Runs of one schedule added up. A step of all is one; a run that ended early lacks the last ones. Not every
 * run need have sent all operations.
 *
 * @param secondsOf how long a step took, from how long it took in each of them
 * @throws {NotAHistogram} when a row holds something else in place of one
 */
export function addedRows(
  loads: readonly RunLoad[],
  secondsOf: (seconds: readonly number[]) => number,
): AddedRows {
  const steps = loads.flatMap((load) => load.steps.map((row, at) => ({ ...row, at })));
  const operations = loads.flatMap((load) => load.operations);
  const cells = groupsOf(
    loads.flatMap((load) => load.cells ?? []),
    ({ step, operation }) => `${step}\n${operation}`,
  ).map((rows) => ({ ...rows[0], ...mergedRow(rows) }));
  return {
    whole: mergedRow(loads.map(({ whole }) => whole)),
    steps: groupsOf(steps, ({ at }) => at).map((rows) => mergedStep(rows, secondsOf)),
    operations: groupsOf(operations, ({ operation }) => operation)
      .map((rows) => ({ ...mergedRow(rows), operation: rows[0].operation, api: rows[0].api }))
      .sort((a, b) => (a.operation < b.operation ? -1 : 1)),
    ...(cells.length === 0 ? {} : { cells }),
    generator: mergedGenerator(loads.map(({ generator }) => generator)),
  };
}

/**
 * Rows added up: counts and histograms, from which the percentiles are read.
 *
 * @throws {NotAHistogram} when a row holds something else in place of one
 */
export function mergedRow(rows: readonly LoadRow[]): LoadRow {
  const { allLatency, ...latencies } = latenciesOf({
    served: sumOfTexts(rows.map(({ histogram }) => histogram)),
    errors: sumOfTexts(rows.flatMap(({ errorsHistogram }) => errorsHistogram ?? [])),
    throttled: sumOfTexts(rows.flatMap(({ throttledHistogram }) => throttledHistogram ?? [])),
  });
  // Of records of earlier versions nobody knows how long errors took.
  const isKnown = rows.every((row) => row.allLatency !== undefined);
  return {
    counts: addedCounts(rows.map(({ counts }) => counts)),
    ...latencies,
    ...(isKnown && allLatency !== undefined ? { allLatency } : {}),
    ...given({
      answered: totalOfAll(rows.map(({ answered }) => answered)),
      requestSeconds: secondsOfAll(rows),
    }),
    ...(rows.length === 1 ? given({ phases: rows[0]?.phases }) : {}),
  };
}

function addedCounts(all: readonly LoadCounts[]): LoadCounts {
  const fates = all.flatMap(({ byFate }) => byFate ?? []);
  const byFate = ERROR_FATES.map(
    (fate) => [fate, total(fates.map((one) => one[fate] ?? 0))] as const,
  ).filter(([, count]) => count > 0);
  return {
    ...summed(['offered', 'sent', 'served', 'errors', 'throttled', 'failed'], all),
    ...given({ late: totalOfAll(all.map(({ late }) => late)) }),
    ...(fates.length < all.length ? {} : { byFate: Object.fromEntries(byFate) }),
  };
}

function mergedStep(
  rows: readonly [LoadStepRow, ...LoadStepRow[]],
  secondsOf: (seconds: readonly number[]) => number,
): LoadStepRow {
  const [{ name, beginsSeconds }] = rows;
  const row = mergedRow(rows);
  const { offered, served } = row.counts;
  const seconds = secondsOf(rows.map((one) => one.seconds));
  return {
    ...row,
    ...{ name, beginsSeconds, seconds },
    offeredPerSecond: seconds > 0 ? offered / seconds : 0,
    admittedPerSecond: seconds > 0 ? served / seconds : 0,
    ...summed(['judged', 'violations'], rows),
  };
}

/** How well the generators of several runs kept their schedules: as the worst of them did. */
function mergedGenerator(all: readonly LoadGenerator[]): LoadGenerator {
  return given({
    // No percentile of the whole follows from theirs; it is none above this.
    fireLagP99Ms: mostOf(all.map(({ fireLagP99Ms }) => fireLagP99Ms)),
    lateRequests: totalOfAll(all.map((one) => one.lateRequests)),
    hiccups: totalOfAll(all.map((one) => one.hiccups)),
    eventLoopUtilization: mostOf(all.map(({ eventLoopUtilization }) => eventLoopUtilization)),
    ...summed(['waitedAtCeiling', 'dropped'], all),
    judgingSeconds: totalOfAll(all.map((one) => one.judgingSeconds)),
    cpuSeconds: totalOfAll(all.map((one) => one.cpuSeconds)),
  });
}

/**
 * Moments at the same time of the schedule added up. If parts have moments of different lengths, the
 * longest are taken. They have no percentiles: those of a moment are kept without the histogram that they
 * were read from, and percentiles cannot be added.
 */
export function mergedMoments(all: readonly LoadMoment[]): LoadMoment[] {
  // There are too many of them for one call.
  const seconds = all.reduce((most, one) => Math.max(most, one.seconds), 1);
  const beginOf = ({ second }: LoadMoment): number => Math.floor(second / seconds) * seconds;
  return groupsOf(all, beginOf)
    .map((moments) => ({
      second: beginOf(moments[0]),
      seconds,
      ...summed(['offered', 'admitted', 'throttled', 'errors', 'violations'], moments),
      ...addedReasons(moments),
      ...given({
        answered: totalOfAll(moments.map(({ answered }) => answered)),
        requestSeconds: secondsOfAll(moments),
        worstLagMs: mostOf(moments.map((one) => one.worstLagMs)),
        byLatency: summedLists(moments.map((one) => one.byLatency)),
      }),
    }))
    .sort((a, b) => a.second - b.second);
}

/** To the microsecond, as each says it. */
function secondsOfAll(rows: readonly { readonly requestSeconds?: number }[]): number | undefined {
  const sum = totalOfAll(rows.map(({ requestSeconds }) => requestSeconds));
  return sum === undefined ? undefined : Math.round(sum * 1e6) / 1e6;
}

/** Absent without errors, and where one of them does not say what its errors were. */
function addedReasons(moments: readonly LoadMoment[]): Pick<LoadMoment, 'byReason'> {
  const failing = moments.filter(({ errors }) => errors > 0);
  if (failing.some(({ byReason }) => byReason === undefined)) return {};
  const all = failing.flatMap(({ byReason = {} }) => Object.entries(byReason));
  const byReason = groupsOf(all, ([reason]) => reason).map((some) => [
    some[0][0],
    total(some.map(([, count]) => count)),
  ]);
  return byReason.length === 0
    ? {}
    : { byReason: Object.fromEntries(byReason) as Record<string, number> };
}
