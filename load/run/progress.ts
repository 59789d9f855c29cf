import { given } from '../../contracts/wire/json.ts';
import type { Sample } from '../load-sink.ts';

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
  #since = nothing();
  #step = 0;
  #lookedMs = 0;

  sample({ fate, step, dueMs, calledMs, endMs }: Sample): void {
    const since = this.#since;
    since.sent += 1;
    if (fate === 'throttled') since.throttled += 1;
    if (fate === 'served') {
      since.admitted += 1;
      if (since.latenciesMs.length < MAX_KEPT) since.latenciesMs.push(endMs - dueMs);
    }
    since.worstLagMs = Math.max(since.worstLagMs, calledMs - dueMs);
    this.#step = Math.max(this.#step, step);
  }

  /** @param nowMs from the start of the run */
  look(nowMs: number): LoadProgress {
    const { sent, admitted, throttled, worstLagMs, latenciesMs } = this.#since;
    const seconds = Math.max(1e-3, (nowMs - this.#lookedMs) / 1000);
    const sorted = Float64Array.from(latenciesMs).sort();
    const at = (share: number): number | undefined =>
      sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
    this.#since = nothing();
    this.#lookedMs = nowMs;
    return {
      ...{ seconds: nowMs / 1000, step: this.#step, worstLagMs },
      sentPerSecond: sent / seconds,
      admittedPerSecond: admitted / seconds,
      throttledPerSecond: throttled / seconds,
      ...given({ p50Ms: at(0.5), p99Ms: at(0.99) }),
    };
  }
}

/** What is counted from one look to the next. */
const nothing = () => ({
  ...{ sent: 0, admitted: 0, throttled: 0, worstLagMs: 0 },
  latenciesMs: [] as number[],
});
