import type { GeneratorFacts } from '../engine.ts';
import { LatencyHistogram } from './latency-histogram.ts';

/** What leaves, or is read, no later than this after its time is on time: more would show in what is claimed. */
export const MAX_LAG_MS = 5;
/** A machine that does something else for longer did not hiccup once. */
const HICCUP_MS = 1000;

/**
 * How late the requests of a schedule leave, and their answers are read. Those that are late one after another
 * are late for one reason, so they are counted as one hiccup, or one for each second that it took.
 */
export class Lateness {
  readonly #lags: LatencyHistogram;
  #late = 0;
  /** How long nobody looked at what came in before the look under way. */
  #unseenMs = 0;
  /** Whether what was late for that reason was counted as a hiccup. */
  #isCounted = false;
  #hiccups = 0;
  /** When the hiccup under way began; undefined if none is. */
  #sinceMs: number | undefined;
  /** How many that one counts as so far. */
  #countedAs = 0;

  /** @param lags by which the percentile is computed; of three digits unless given */
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
    this.#isCounted = true;
  }

  /** Begins to send and read after so long a time in which neither was done. */
  look(unseenMs: number): void {
    this.#unseenMs = unseenMs;
    this.#isCounted = false;
  }

  /**
   * Counts a request whose end was read in this look, unless it left late already: as it may have ended at any
   * time since the look before.
   *
   * @returns whether it left or was read late
   */
  read(dueMs: number, calledMs: number): boolean {
    const leftLate = calledMs - dueMs > MAX_LAG_MS;
    if (leftLate || this.#unseenMs <= MAX_LAG_MS) return leftLate;
    this.#lags.record(this.#unseenMs);
    this.#late += 1;
    if (!this.#isCounted) this.#hiccups += Math.ceil(this.#unseenMs / HICCUP_MS);
    this.#isCounted = true;
    return true;
  }

  facts(): Pick<GeneratorFacts, 'fireLagP99Ms' | 'lateRequests' | 'hiccups'> {
    return {
      ...(this.#lags.count === 0 ? {} : { fireLagP99Ms: this.#lags.quantileMs(0.99) }),
      lateRequests: this.#late,
      hiccups: this.#hiccups,
    };
  }
}
