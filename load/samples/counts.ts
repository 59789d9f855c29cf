import {
  errorsOf,
  isAmongErrors,
  isAnswered,
  isError,
  type ErrorFate,
} from '../../contracts/run/load/fates.ts';
import type { LatencySummary, LoadCounts, LoadRow } from '../../contracts/run/load/load-run.ts';
import { LATENCIES } from '../../contracts/run/load/threshold.ts';
import { given } from '../../contracts/wire/json.ts';
import type { Sample } from '../load-sink.ts';
import { LatencyHistogram } from './latency-histogram.ts';
import { PhaseAccumulator } from './phases.ts';
import { MAX_LAG_MS } from './lateness.ts';

const KINDS = ['served', 'errors', 'throttled'] as const;

/** Latencies of served, failing and throttled requests apart. */
export type Latencies = Readonly<Record<(typeof KINDS)[number], LatencyHistogram>>;

/** What became of a part of the requests: counts, and latencies by kind. */
export class PartAccumulator implements Latencies {
  readonly served: LatencyHistogram = LatencyHistogram.create();
  readonly errors: LatencyHistogram = LatencyHistogram.create();
  readonly throttled: LatencyHistogram = LatencyHistogram.create();
  readonly #byFate = new Map<ErrorFate, number>();
  #sent = 0;
  #served = 0;
  #throttled = 0;
  /**
   * Of those sent, the ones that came back after an announced wait; the schedule knows nothing of them.
   */
  #cameBack = 0;
  #late = 0;
  #requestMs = 0;
  #answered = 0;
  #phases: PhaseAccumulator | undefined;
  readonly #isScheduled: boolean;

  /** @param isScheduled whether requests have times at which they are due, and may be late */
  constructor(isScheduled = true) {
    this.#isScheduled = isScheduled;
  }

  /** @param isWarmUp whether it is in no latency figure */
  add(sample: Sample, isWarmUp = false): void {
    const { fate, firstDueMs, calledMs, endMs, dueMs, isLate } = sample;
    this.#sent += 1;
    if (fate === 'served') this.#served += 1;
    if (fate === 'throttled') this.#throttled += 1;
    if (!isWarmUp && sample.firstByteMs !== undefined)
      (this.#phases ??= new PhaseAccumulator()).add(sample);
    if (isLate ?? calledMs - dueMs > MAX_LAG_MS) this.#late += 1;
    if (firstDueMs !== undefined) this.#cameBack += 1;
    if (!isWarmUp) this[isError(fate) ? 'errors' : fate].record(endMs - dueMs);
    if (isError(fate)) this.#count(fate, 1);
  }

  /** Adds time of this part in which a request was on its way, whichever part it was due in. */
  addOnItsWay(ms: number): void {
    this.#requestMs += ms;
  }

  /** Adds a served answer that came in this part, whichever part it was due in. */
  addAnswered(): void {
    this.#answered += 1;
  }

  #count(fate: ErrorFate, times: number): void {
    this.#byFate.set(fate, (this.#byFate.get(fate) ?? 0) + times);
  }

  /** Adds all of another part. */
  merge(other: PartAccumulator): void {
    for (const kind of KINDS) this[kind].add(other[kind]);
    for (const [fate, count] of other.#byFate) this.#count(fate, count);
    this.#sent += other.#sent;
    this.#served += other.#served;
    this.#throttled += other.#throttled;
    this.#cameBack += other.#cameBack;
    this.#late += other.#late;
    this.#requestMs += other.#requestMs;
    this.#answered += other.#answered;
    if (other.#phases !== undefined) (this.#phases ??= new PhaseAccumulator()).merge(other.#phases);
  }

  /**
   * The row of this part.
   *
   * @param slots how many the schedule wanted sent; those that came back are offered besides
   * @param isCut whether the part was ended early, so that answers came after its end that it would have had
   */
  row(slots: number, isCut = false): LoadRow {
    let [errors, failed] = [0, 0];
    for (const [fate, count] of this.#byFate) {
      if (isAnswered(fate)) errors += count;
      else failed += count;
    }
    const counts: LoadCounts = {
      offered: Math.max(slots + this.#cameBack, this.#sent),
      sent: this.#sent,
      served: this.#served,
      errors,
      throttled: this.#throttled,
      failed,
      ...(this.#isScheduled ? { late: this.#late } : {}),
      byFate: Object.fromEntries(this.#byFate),
    };
    return {
      counts,
      ...latenciesOf(this),
      ...(isCut ? {} : { answered: this.#answered }),
      requestSeconds: Math.round(this.#requestMs * 1000) / 1e6,
      ...given({ phases: this.#phases?.row() }),
    };
  }
}

/** The figures of a row, of histograms; those of kinds that nothing came to are left out. */
export function latenciesOf({ served, errors, throttled }: Latencies): Omit<LoadRow, 'counts'> {
  return {
    latency: served.summary(),
    allLatency: allSummary(served, errors.count),
    histogram: served.encode(),
    ...(errors.count === 0 ? {} : { errorsHistogram: errors.encode() }),
    ...(throttled.count === 0
      ? {}
      : { throttledLatency: throttled.summary(), throttledHistogram: throttled.encode() }),
  };
}

function allSummary(served: LatencyHistogram, errors: number): LatencySummary {
  // A mean with what is beyond any bound is none.
  if (errors === 0) return served.summary();
  const count = served.count + errors;
  const figures = Object.values(LATENCIES)
    .filter(([, share]) => !isAmongErrors({ served: served.count, errors, failed: 0 }, share))
    .map(([name, share]) => [name, served.atRankMs(rankOf(share, count))] as const);
  return { count, ...Object.fromEntries(figures) };
}

/** The place that such a share of so many takes in; what a product of them is off by is no place. */
function rankOf(share: number, count: number): number {
  return Math.max(1, Math.ceil(share * count - 1e-6));
}

function addedUp(all: readonly LatencyHistogram[]): LatencyHistogram {
  const sum = LatencyHistogram.create();
  for (const one of all) sum.add(one);
  return sum;
}

/**
 * The sum of histograms of rows.
 *
 * @throws {NotAHistogram} when one is something else
 */
export function sumOfTexts(texts: readonly string[]): LatencyHistogram {
  return addedUp(texts.map((text) => LatencyHistogram.decode(text)));
}

/**
 * The latency in milliseconds that such a share of requests did not exceed, if those that left late were the
 * slowest of all that was served: its rank is lower by as many. 0 if all below it may have been late.
 *
 * @param of those that were served, or all that were not throttled
 * @throws {NotAHistogram} when the row holds something else in place of one
 */
export function latencyWithoutLate(
  { histogram, counts, allLatency }: Pick<LoadRow, 'histogram' | 'counts' | 'allLatency'>,
  of: 'served' | undefined,
  share: number,
  late: number,
): number {
  const served = LatencyHistogram.decode(histogram);
  const all = allLatency?.count ?? served.count + errorsOf(counts);
  const count = of === 'served' ? served.count : all;
  const rank = rankOf(share, count) - late;
  return rank <= 0 || served.count === 0 ? 0 : served.atRankMs(Math.min(rank, served.count));
}
