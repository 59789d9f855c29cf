import type { Sample } from '../engines/load-sink.ts';

/** How a load run goes just now. */
export interface LoadProgress {
  readonly seconds: number;
  /** Place of the step that the newest sample belongs to. */
  readonly step: number;
  /** Since the last look. */
  readonly sentPerSecond: number;
  readonly admittedPerSecond: number;
  readonly throttledPerSecond: number;
  /** Of served answers since the last look; absent where there were none. */
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  /** Of the requests since the last look, the one that left latest after its time. */
  readonly worstLagMs: number;
}

/** Latencies kept between two looks; more are left out of the percentiles. */
const MAX_KEPT = 20_000;

/** Sees samples go by, for the lines that a person watches. */
export class ProgressMeter {
  #latencies: number[] = [];
  #sent = 0;
  #admitted = 0;
  #throttled = 0;
  #step = 0;
  #lagMs = 0;
  #lookedMs = 0;

  sample({ fate, step, dueMs, calledMs, endMs }: Sample): void {
    this.#sent += 1;
    if (fate === 'throttled') this.#throttled += 1;
    if (fate === 'served') {
      this.#admitted += 1;
      if (this.#latencies.length < MAX_KEPT) this.#latencies.push(endMs - dueMs);
    }
    this.#step = Math.max(this.#step, step);
    this.#lagMs = Math.max(this.#lagMs, calledMs - dueMs);
  }

  /** @param nowMs from the start of the run */
  look(nowMs: number): LoadProgress {
    const seconds = Math.max(1e-3, (nowMs - this.#lookedMs) / 1000);
    const sorted = Float64Array.from(this.#latencies).sort();
    const at = (share: number): number | undefined =>
      sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
    const [p50Ms, p99Ms] = [at(0.5), at(0.99)];
    const progress: LoadProgress = {
      seconds: nowMs / 1000,
      step: this.#step,
      sentPerSecond: this.#sent / seconds,
      admittedPerSecond: this.#admitted / seconds,
      throttledPerSecond: this.#throttled / seconds,
      ...(p50Ms === undefined ? {} : { p50Ms }),
      ...(p99Ms === undefined ? {} : { p99Ms }),
      worstLagMs: this.#lagMs,
    };
    this.#latencies = [];
    [this.#sent, this.#admitted, this.#throttled, this.#lagMs] = [0, 0, 0, 0];
    this.#lookedMs = nowMs;
    return progress;
  }
}
