import type { GeneratorFacts } from '../engines/engine.ts';
import { LatencyHistogram } from './latency-histogram.ts';

/** A request that leaves no later than this after its time is on time. */
export const MAX_LAG_MS = 20;
/** A machine that does something else for longer did not hiccup once. */
const HICCUP_MS = 1000;

/**
 * How late the requests of a schedule leave. Those that are late one after another are late for one
 * reason, so they are counted as one hiccup, or one for each second that it took.
 */
export class Lateness {
  readonly #lags: LatencyHistogram;
  #late = 0;
  #hiccups = 0;
  /** When the hiccup under way began; undefined where none is. */
  #sinceMs: number | undefined;
  /** How many that one counts as so far. */
  #countedAs = 0;

  /** @param lags by which the percentile is told; of three digits unless given */
  constructor(lags: LatencyHistogram = LatencyHistogram.create()) {
    this.#lags = lags;
  }

  /** Counts a request that was due and called at such times, in the order of sending. */
  record(dueMs: number, calledMs: number): void {
    const lagMs = calledMs - dueMs;
    this.#lags.record(lagMs);
    if (lagMs <= MAX_LAG_MS) {
      this.#sinceMs = undefined;
      return;
    }
    this.#late += 1;
    if (this.#sinceMs === undefined) {
      this.#sinceMs = dueMs;
      this.#countedAs = 0;
    }
    const as = Math.max(1, this.#countedAs, Math.ceil((calledMs - this.#sinceMs) / HICCUP_MS));
    this.#hiccups += as - this.#countedAs;
    this.#countedAs = as;
  }

  facts(): Pick<GeneratorFacts, 'fireLagP99Ms' | 'lateRequests' | 'hiccups'> {
    return {
      fireLagP99Ms: this.#lags.quantileMs(0.99),
      lateRequests: this.#late,
      hiccups: this.#hiccups,
    };
  }
}
