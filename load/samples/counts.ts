import type { LoadCounts, LoadRow } from '../../contracts/run/load/load-run.ts';
import type { Sample } from '../engines/load-sink.ts';
import { LatencyHistogram } from './latency-histogram.ts';

/** What became of a part of the requests: counts, and latencies of served and of throttled ones apart. */
export class PartAccumulator {
  readonly served: LatencyHistogram = LatencyHistogram.create();
  /** Made when first needed: most parts have none. */
  throttled: LatencyHistogram | undefined;
  sent = 0;
  errors = 0;
  failed = 0;
  /**
   * Of those sent, the ones that came back after an announced wait; the schedule knows nothing of them.
   */
  cameBack = 0;

  add(sample: Sample): void {
    this.sent += 1;
    if (sample.firstDueMs !== undefined) this.cameBack += 1;
    switch (sample.kind) {
      case 'served':
        this.served.record(sample.endMs - sample.dueMs);
        break;
      case 'throttled':
        this.throttled ??= LatencyHistogram.create();
        this.throttled.record(sample.endMs - sample.dueMs);
        break;
      case 'error':
        this.errors += 1;
        break;
      case 'failed':
        this.failed += 1;
    }
  }

  /** Adds all of another part. */
  merge(other: PartAccumulator): void {
    this.served.add(other.served);
    if (other.throttled !== undefined) {
      this.throttled ??= LatencyHistogram.create();
      this.throttled.add(other.throttled);
    }
    this.sent += other.sent;
    this.errors += other.errors;
    this.failed += other.failed;
    this.cameBack += other.cameBack;
  }

  /**
   * The counts.
   *
   * @param slots how many the schedule wanted sent; those that came back are offered besides
   */
  counts(slots: number): LoadCounts {
    return {
      offered: Math.max(slots + this.cameBack, this.sent),
      sent: this.sent,
      served: this.served.count,
      errors: this.errors,
      throttled: this.throttled?.count ?? 0,
      failed: this.failed,
    };
  }

  /** The row of this part; see {@link counts} for the slots. */
  row(slots: number): LoadRow {
    const { throttled } = this;
    return {
      counts: this.counts(slots),
      latency: this.served.summary(),
      histogram: this.served.encode(),
      ...(throttled === undefined
        ? {}
        : { throttledLatency: throttled.summary(), throttledHistogram: throttled.encode() }),
    };
  }
}
