/** So often is looked whether this thread stands still. */
const LOOK_MS = 250;

/**
 * Notices when this thread stood still, as on a busy machine or in a stopped process. Nobody knows then for how long
 * its connections were idle at the other end, which may close them at any time.
 */
export class Standstill {
  readonly #leastMs: number;
  #seenMs = performance.now();
  #endedMs: number | undefined;
  readonly #looking: NodeJS.Timeout;

  /** @param leastMs what is shorter is none */
  constructor(leastMs: number) {
    this.#leastMs = leastMs;
    this.#looking = setInterval(() => {
      this.endedMs();
    }, LOOK_MS).unref();
  }

  /** When the last one ended, by `performance.now()`; undefined if there was none. */
  endedMs(): number | undefined {
    const nowMs = performance.now();
    if (nowMs - this.#seenMs - LOOK_MS >= this.#leastMs) this.#endedMs = nowMs;
    this.#seenMs = nowMs;
    return this.#endedMs;
  }

  /** Looks no more. */
  close(): void {
    clearInterval(this.#looking);
  }
}
