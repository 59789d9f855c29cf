/** How long one operation took to answer: milliseconds from sending to the end of the body. */
export interface LatencyRow {
  /** Id of the operation, or method and API if the contract has none. */
  readonly operation: string;
  /** Answers; requests without one are not counted. */
  readonly count: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly worstMs: number;
}

/** Latencies by operation. Numbers alone are kept, some 8 bytes an answer. */
export class Latencies {
  readonly #byOperation = new Map<string, number[]>();

  /** Notes one answer. */
  add(operation: string, latencyMs: number): void {
    const known = this.#byOperation.get(operation);
    if (known === undefined) this.#byOperation.set(operation, [latencyMs]);
    else known.push(latencyMs);
  }

  /** A row for each operation, in the order in which they were first answered. */
  rows(): LatencyRow[] {
    return [...this.#byOperation].map(([operation, latencies]) => {
      const sorted = Float64Array.from(latencies).sort();
      const atShare = (share: number): number =>
        sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
      return {
        operation,
        count: sorted.length,
        p50Ms: atShare(0.5),
        p95Ms: atShare(0.95),
        p99Ms: atShare(0.99),
        worstMs: atShare(1),
      };
    });
  }
}
