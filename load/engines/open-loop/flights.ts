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

  /** Takes all out that pass a test, and tells of each once it is out, in their order. */
  takeAll(isMeant: (flight: Flight) => boolean, taken: (flight: Flight) => void): void {
    const meant: Flight[] = [];
    for (let at = this.#first; at !== undefined; at = at.after) if (isMeant(at)) meant.push(at);
    for (const flight of meant) {
      this.delete(flight);
      taken(flight);
    }
  }
}
