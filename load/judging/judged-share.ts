/** Looks at the pressure are this far apart. */
const LOOKED_EVERY_MS = 250;
/** A run whose event loop is used for more than 0.8 of the time is invalid: judging gives way before. */
const TOO_MUCH = 0.7;
const SPARE = 0.5;
const DOWN = 0.6;
const UP = 1.25;
/** Some are judged whatever the pressure is. */
const MIN_SHARE = 0.01;

/** Which share of the answers is judged: all that may be, until judging would break the schedule. */
export class JudgedShare {
  readonly #most: number;
  readonly #pressure: () => number;
  #share: number;
  #nextLookMs = -Infinity;

  /**
   * @param most from 0 to 1: more is not judged, however little there is to do
   * @param pressure from 0, when it is asked; 1 is more than can be done
   */
  constructor(most: number, pressure: () => number) {
    this.#most = most;
    this.#share = most;
    this.#pressure = pressure;
  }

  /** The share to judge at a moment; moments need not come in order. */
  at(nowMs: number): number {
    if (nowMs >= this.#nextLookMs) {
      const isFirst = this.#nextLookMs === -Infinity;
      this.#nextLookMs = nowMs + LOOKED_EVERY_MS;
      const pressure = this.#pressure();
      // What came before the first answer was no judging.
      if (!isFirst) this.#adapt(pressure);
    }
    return this.#share;
  }

  #adapt(pressure: number): void {
    if (pressure > TOO_MUCH) this.#share = Math.max(this.#most * MIN_SHARE, this.#share * DOWN);
    else if (pressure < SPARE) this.#share = Math.min(this.#most, this.#share * UP);
  }
}
