import type { Flight } from './flight.ts';

/** The connections to one origin: how many are in use, and who waits for one. */
export class Line {
  #inUse = 0;
  readonly #most: number;
  readonly #waiting: (Flight | undefined)[] = [];
  #next = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Takes a connection; false where the flight has to wait, as all are in use. */
  take(flight: Flight): boolean {
    if (this.#inUse < this.#most) {
      this.#inUse += 1;
      return true;
    }
    this.#waiting.push(flight);
    return false;
  }

  /** Gives a connection back; the result is the flight that has it now. */
  giveBack(): Flight | undefined {
    while (this.#next < this.#waiting.length) {
      const flight = this.#waiting[this.#next];
      this.#waiting[this.#next] = undefined;
      this.#next += 1;
      // Those whose time was over while they waited are gone.
      if (flight !== undefined && !flight.hasEnded) return flight;
    }
    this.#waiting.length = 0;
    this.#next = 0;
    this.#inUse -= 1;
    return undefined;
  }
}
