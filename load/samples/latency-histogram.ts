import type { Histogram } from 'hdr-histogram-js';
import { build, decodeFromCompressedBase64, encodeIntoCompressedBase64 } from 'hdr-histogram-js';
import type { LatencySummary } from '../../contracts/run/load/load-run.ts';
import { checkHistogramText, DIGITS, HIGHEST_MICROS } from './hdr-text.ts';

const BITS = 32;
/** As many lines until half of what is left is behind. */
const TICKS_PER_HALF = 5;
const MICROS_PER_MS = 1000;

/**
 * Latencies, counted in microseconds by an HDR histogram (G. Tene). Two of them add up exactly, which
 * percentiles never do. Grows with its highest value up to some 95 kB.
 */
export class LatencyHistogram {
  readonly #counts: Histogram;

  private constructor(counts: Histogram) {
    this.#counts = counts;
  }

  /** An empty one; one of two digits (values off by at most 1 %) takes an eighth of the memory. */
  static create(digits: 2 | 3 = DIGITS): LatencyHistogram {
    return new LatencyHistogram(
      build({ bitBucketSize: BITS, autoResize: true, numberOfSignificantValueDigits: digits }),
    );
  }

  /**
   * What {@link encode} gave.
   *
   * @throws {NotAHistogram} when it is anything else, found out within bounded time and memory
   */
  static decode(text: string): LatencyHistogram {
    checkHistogramText(text);
    const counts = decodeFromCompressedBase64(text, BITS);
    counts.autoResize = true;
    return new LatencyHistogram(counts);
  }

  /**
   * Counts a latency. Never throws: a negative one counts as 0, one beyond an hour as an hour, and what
   * is no number as an hour too, so that it is not overlooked.
   */
  record(ms: number): void {
    const micros = Math.round(ms * 1000);
    this.#counts.recordValue(micros <= HIGHEST_MICROS ? (micros > 0 ? micros : 0) : HIGHEST_MICROS);
  }

  /** Adds the counts of another one; none is lost or averaged. */
  add(other: LatencyHistogram): void {
    this.#counts.add(other.#counts);
  }

  get count(): number {
    return this.#counts.totalCount;
  }

  /** The latency that such a share of all, from 0 to 1, did not exceed; 0 when there are none. */
  quantileMs(share: number): number {
    const micros = this.#counts.getValueAtPercentile(share * 100);
    return Math.min(micros, this.#counts.maxValue) / 1000;
  }

  /** The latency of such a rank, from 1 to {@link count}. */
  atRankMs(rank: number): number {
    return this.quantileMs((rank - 0.5) / this.count);
  }

  summary(): LatencySummary {
    if (this.count === 0) return { count: 0 };
    return {
      count: this.count,
      p50Ms: this.quantileMs(0.5),
      p95Ms: this.quantileMs(0.95),
      p99Ms: this.quantileMs(0.99),
      p999Ms: this.quantileMs(0.999),
      worstMs: this.#counts.maxValue / 1000,
      p75Ms: this.quantileMs(0.75),
      p90Ms: this.quantileMs(0.9),
      meanMs: Math.round(this.#counts.mean) / 1000,
    };
  }

  /** The percentiles in milliseconds as text, in the format of HdrHistogram that its viewers read (`.hgrm`). */
  percentiles(): string {
    return this.#counts.outputPercentileDistribution(TICKS_PER_HALF, MICROS_PER_MS);
  }

  /** HDR V2, deflated, base64: some kB, read by HdrHistogram in any language. */
  encode(): string {
    return encodeIntoCompressedBase64(this.#counts);
  }
}
