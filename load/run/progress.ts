import { isError, reasonOf } from '../../contracts/run/load/fates.ts';
import { given } from '../../contracts/wire/json.ts';
import type { Sample } from '../load-sink.ts';
import { LatencyHistogram } from '../samples/latency-histogram.ts';

/** How a load run goes just now. */
export interface LoadProgress {
  readonly seconds: number;
  /** Place of the step that the newest sample belongs to. */
  readonly step: number;
  /** Since the last look. */
  readonly servedPerSecond: number;
  readonly throttledPerSecond: number;
  /** Of served answers since the last look; absent if there were none. */
  readonly p99Ms?: number;
  /** Of the requests since the last look, the one that left latest after its time. */
  readonly worstLagMs: number;
  /** Errors of the run so far by their reasons, the most frequent first. */
  readonly errors: readonly (readonly [reason: string, count: number])[];
}

/** A line has room for few; of a target that answers with any status, others are counted as one. */
const MAX_REASONS = 50;

/** Sees samples go by, for the lines that a person watches. */
export class ProgressMeter {
  readonly #errors = new Map<string, number>();
  #since = nothing();
  #step = 0;
  #lookedMs = 0;
  #samples = 0;

  /** Of the run so far. */
  get samples(): number {
    return this.#samples;
  }

  sample({ fate, step, dueMs, calledMs, endMs, status }: Sample): void {
    const since = this.#since;
    this.#samples += 1;
    if (fate === 'throttled') since.throttled += 1;
    if (fate === 'served') since.served.record(endMs - dueMs);
    if (isError(fate)) {
      const own = reasonOf({ fate, status });
      const isRoom = this.#errors.has(own) || this.#errors.size < MAX_REASONS;
      const reason = isRoom ? own : 'other';
      this.#errors.set(reason, (this.#errors.get(reason) ?? 0) + 1);
    }
    since.worstLagMs = Math.max(since.worstLagMs, calledMs - dueMs);
    this.#step = Math.max(this.#step, step);
  }

  /** @param nowMs from the start of the run */
  look(nowMs: number): LoadProgress {
    const { served, throttled, worstLagMs } = this.#since;
    const seconds = Math.max(1e-3, (nowMs - this.#lookedMs) / 1000);
    this.#since = nothing();
    this.#lookedMs = nowMs;
    return {
      ...{ seconds: nowMs / 1000, step: this.#step, worstLagMs },
      servedPerSecond: served.count / seconds,
      throttledPerSecond: throttled / seconds,
      ...given({ p99Ms: served.count === 0 ? undefined : served.quantileMs(0.99) }),
      errors: [...this.#errors].sort(([, a], [, b]) => b - a),
    };
  }
}

/** What is counted from one look to the next. */
const nothing = () => ({ throttled: 0, worstLagMs: 0, served: LatencyHistogram.create(2) });
