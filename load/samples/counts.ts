import { isAnswered, type ErrorFate } from '../../contracts/run/load/fates.ts';
import type { LoadCounts, LoadRow } from '../../contracts/run/load/load-run.ts';
import type { Sample } from '../engines/load-sink.ts';
import { LatencyHistogram } from './latency-histogram.ts';

/** What became of a part of the requests: counts, and latencies of served, throttled and failing ones apart. */
export class PartAccumulator {
  readonly served: LatencyHistogram = LatencyHistogram.create();
  /** Made when first needed: most parts have none. */
  throttled: LatencyHistogram | undefined;
  errors: LatencyHistogram | undefined;
  readonly byFate: Map<ErrorFate, number> = new Map<ErrorFate, number>();
  sent = 0;
  /**
   * Of those sent, the ones that came back after an announced wait; the schedule knows nothing of them.
   */
  cameBack = 0;

  add(sample: Sample): void {
    this.sent += 1;
    if (sample.firstDueMs !== undefined) this.cameBack += 1;
    const { fate } = sample;
    const waitedMs = sample.endMs - sample.dueMs;
    if (fate === 'served') this.served.record(waitedMs);
    else if (fate === 'throttled') {
      (this.throttled ??= LatencyHistogram.create()).record(waitedMs);
    } else {
      (this.errors ??= LatencyHistogram.create()).record(waitedMs);
      this.#count(fate, 1);
    }
  }

  #count(fate: ErrorFate, times: number): void {
    this.byFate.set(fate, (this.byFate.get(fate) ?? 0) + times);
  }

  /** Adds all of another part. */
  merge(other: PartAccumulator): void {
    this.served.add(other.served);
    if (other.throttled !== undefined) {
      (this.throttled ??= LatencyHistogram.create()).add(other.throttled);
    }
    if (other.errors !== undefined) (this.errors ??= LatencyHistogram.create()).add(other.errors);
    for (const [fate, count] of other.byFate) this.#count(fate, count);
    this.sent += other.sent;
    this.cameBack += other.cameBack;
  }

  /**
   * The counts.
   *
   * @param slots how many the schedule wanted sent; those that came back are offered besides
   */
  counts(slots: number): LoadCounts {
    const all = [...this.byFate];
    const sum = (some: typeof all): number => some.reduce((total, [, count]) => total + count, 0);
    return {
      offered: Math.max(slots + this.cameBack, this.sent),
      sent: this.sent,
      served: this.served.count,
      errors: sum(all.filter(([fate]) => isAnswered(fate))),
      throttled: this.throttled?.count ?? 0,
      failed: sum(all.filter(([fate]) => !isAnswered(fate))),
      byFate: Object.fromEntries(all),
    };
  }

  /** The row of this part; see {@link counts} for the slots. */
  row(slots: number): LoadRow {
    return { counts: this.counts(slots), ...latenciesOf(this) };
  }
}

/** The figures of a row, of histograms of what was served, and of what was throttled or failed, if any was. */
export function latenciesOf({
  served,
  errors,
  throttled,
}: Pick<PartAccumulator, 'served' | 'errors' | 'throttled'>): Omit<LoadRow, 'counts'> {
  return {
    latency: served.summary(),
    allLatency: addedUp([served, errors]).summary(),
    histogram: served.encode(),
    ...(errors === undefined ? {} : { errorsHistogram: errors.encode() }),
    ...(throttled === undefined
      ? {}
      : { throttledLatency: throttled.summary(), throttledHistogram: throttled.encode() }),
  };
}

/** The sum of several histograms; none is changed. */
export function addedUp(all: readonly (LatencyHistogram | undefined)[]): LatencyHistogram {
  const sum = LatencyHistogram.create();
  for (const one of all) if (one !== undefined) sum.add(one);
  return sum;
}
