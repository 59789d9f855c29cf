import type { Flight } from '../sending/flight.ts';

/**
 * The flights that have not ended, in the order in which they were called. No Set: where entries come and
 * go all the time, V8 makes table after table, each one leads to the next, and so everything that ever stood
 * in them outlives the collection of young objects, once one of them did. What is taken out of this list
 * leads nowhere.
 */
export class Flights {
  #first: Flight | undefined;
  #last: Flight | undefined;

  /** Whether all that were added have been taken out. */
  get isEmpty(): boolean {
    return this.#first === undefined;
  }

  /** The one that was called first. */
  get first(): Flight | undefined {
    return this.#first;
  }

  /** Adds one that was called after all others; it must not be in the list. */
  add(flight: Flight): void {
    const last = this.#last;
    flight.before = last;
    if (last === undefined) this.#first = flight;
    else last.after = flight;
    this.#last = flight;
    flight.isListed = true;
  }

  /** Takes one out; nothing happens where it is not in the list. */
  delete(flight: Flight): void {
    if (!flight.isListed) return;
    const { before, after } = flight;
    if (before === undefined) this.#first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
    flight.before = flight.after = undefined;
    flight.isListed = false;
  }

  /** Takes all out that pass a test; the result has them in their order. */
  takeAll(isMeant: (flight: Flight) => boolean): readonly Flight[] {
    const meant: Flight[] = [];
    for (let at = this.#first; at !== undefined; at = at.after) if (isMeant(at)) meant.push(at);
    for (const flight of meant) this.delete(flight);
    return meant;
  }
}

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
