import { ERROR_FATES } from '../../contracts/run/load/fates.ts';
import type {
  LoadCell,
  LoadCounts,
  LoadMoment,
  LoadOperationRow,
  LoadRow,
  LoadStepRow,
  RunLoad,
} from '../../contracts/run/load/load-run.ts';
import { addedUp, latenciesOf } from '../samples/counts.ts';
import { LatencyHistogram } from '../samples/latency-histogram.ts';

/**
 * Rows added up: counts and histograms, from which the percentiles are read.
 *
 * @throws {NotAHistogram} when a row holds something else in place of one
 */
export function mergedRow(rows: readonly LoadRow[]): LoadRow {
  const read = (texts: readonly string[]): LatencyHistogram =>
    addedUp(texts.map((text) => LatencyHistogram.decode(text)));
  const some = (texts: readonly string[]): LatencyHistogram | undefined =>
    texts.length === 0 ? undefined : read(texts);
  const { allLatency, ...latencies } = latenciesOf({
    served: read(rows.map(({ histogram }) => histogram)),
    errors: some(rows.flatMap(({ errorsHistogram }) => errorsHistogram ?? [])),
    throttled: some(rows.flatMap(({ throttledHistogram }) => throttledHistogram ?? [])),
  });
  // Of records of earlier versions nobody knows how long errors took.
  const isKnown = rows.every((row) => row.allLatency !== undefined);
  return {
    counts: addedCounts(rows.map(({ counts }) => counts)),
    ...latencies,
    ...(isKnown && allLatency !== undefined ? { allLatency } : {}),
  };
}

function addedCounts(all: readonly LoadCounts[]): LoadCounts {
  const sum = (name: Exclude<keyof LoadCounts, 'byFate'>): number =>
    total(all.map((counts) => counts[name]));
  const fates = all.flatMap(({ byFate }) => byFate ?? []);
  return {
    offered: sum('offered'),
    sent: sum('sent'),
    served: sum('served'),
    errors: sum('errors'),
    throttled: sum('throttled'),
    failed: sum('failed'),
    ...(fates.length < all.length
      ? {}
      : {
          byFate: Object.fromEntries(
            ERROR_FATES.map(
              (fate) => [fate, total(fates.map((one) => one[fate] ?? 0))] as const,
            ).filter(([, count]) => count > 0),
          ),
        }),
  };
}

/** One step of all parts; a part that ended early lacks the last ones. */
export function mergedStep(rows: readonly LoadStepRow[]): LoadStepRow | undefined {
  const [first] = rows;
  if (first === undefined) return undefined;
  const row = mergedRow(rows);
  const seconds = Math.max(...rows.map((one) => one.seconds));
  const { offered, served } = row.counts;
  return {
    ...row,
    name: first.name,
    beginsSeconds: first.beginsSeconds,
    seconds,
    offeredPerSecond: seconds > 0 ? offered / seconds : 0,
    admittedPerSecond: seconds > 0 ? served / seconds : 0,
    judged: total(rows.map(({ judged }) => judged)),
    violations: total(rows.map(({ violations }) => violations)),
  };
}

/** Operations by name; not every part need have sent all. */
export function mergedOperations(
  parts: readonly (readonly LoadOperationRow[])[],
): LoadOperationRow[] {
  const byName = new Map<string, LoadOperationRow[]>();
  for (const row of parts.flat()) {
    byName.set(row.operation, [...(byName.get(row.operation) ?? []), row]);
  }
  return [...byName]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([operation, rows]) => {
      const [first] = rows;
      return first === undefined ? [] : [{ ...mergedRow(rows), operation, api: first.api }];
    });
}

/** Cells by step and operation, where all parts have them. */
export function mergedCells(parts: readonly Pick<RunLoad, 'cells'>[]): Pick<RunLoad, 'cells'> {
  const byName = new Map<string, LoadCell[]>();
  for (const cell of parts.flatMap(({ cells }) => cells ?? [])) {
    const name = `${cell.step}\n${cell.operation}`;
    byName.set(name, [...(byName.get(name) ?? []), cell]);
  }
  const cells = [...byName.values()].flatMap((rows) => {
    const [first] = rows;
    return first === undefined ? [] : [{ ...first, ...mergedRow(rows) }];
  });
  return cells.length === 0 ? {} : { cells };
}

/**
 * Moments at the same time of the schedule added up. Where parts have moments of different lengths, the
 * longest are taken. They have no percentiles: those of a moment are kept without the histogram that they
 * were read from, and percentiles cannot be added.
 */
export function mergedMoments(parts: readonly (readonly LoadMoment[])[]): LoadMoment[] {
  const all = parts.flat();
  // There are too many of them for one call.
  const length = all.reduce((most, { seconds }) => Math.max(most, seconds), 1);
  const byBegin = new Map<number, LoadMoment[]>();
  for (const moment of all) {
    const begin = Math.floor(moment.second / length) * length;
    const known = byBegin.get(begin);
    if (known === undefined) byBegin.set(begin, [moment]);
    else known.push(moment);
  }
  return [...byBegin]
    .sort(([a], [b]) => a - b)
    .map(([second, moments]) => ({
      second,
      seconds: length,
      offered: total(moments.map(({ offered }) => offered)),
      admitted: total(moments.map(({ admitted }) => admitted)),
      throttled: total(moments.map(({ throttled }) => throttled)),
      errors: total(moments.map(({ errors }) => errors)),
      violations: total(moments.map(({ violations }) => violations)),
    }));
}

/** The sum of some numbers. */
export function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}
