import type { PendingRequest } from '../sending/pending-request.ts';

/**
 * The requests that have not ended, in the order in which they were called. No Set: if entries come and
 * go all the time, V8 makes table after table, each one leads to the next, and so everything that ever stood
 * in them outlives the collection of young objects, once one of them did. What is taken out of this list
 * leads nowhere.
 */
export class PendingRequests {
  #first: PendingRequest | undefined;
  #last: PendingRequest | undefined;

  /** Whether all that were added have been taken out. */
  get isEmpty(): boolean {
    return this.#first === undefined;
  }

  /** The one that was called first. */
  get first(): PendingRequest | undefined {
    return this.#first;
  }

  /** Adds one that was called after all others; it must not be in the list. */
  add(pending: PendingRequest): void {
    const last = this.#last;
    pending.before = last;
    if (last === undefined) this.#first = pending;
    else last.after = pending;
    this.#last = pending;
    pending.isListed = true;
  }

  /** Takes one out; nothing happens if it is not in the list. */
  delete(pending: PendingRequest): void {
    if (!pending.isListed) return;
    const { before, after } = pending;
    if (before === undefined) this.#first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
    pending.before = pending.after = undefined;
    pending.isListed = false;
  }

  /** Takes all out that pass a test; the result has them in their order. */
  takeAll(isMeant: (pending: PendingRequest) => boolean): readonly PendingRequest[] {
    const meant: PendingRequest[] = [];
    for (let at = this.#first; at !== undefined; at = at.after) if (isMeant(at)) meant.push(at);
    for (const pending of meant) this.delete(pending);
    return meant;
  }
}

/** The connections to one origin: how many are in use, and who waits for one. */
export class Line {
  #inUse = 0;
  readonly #most: number;
  readonly #waiting: (PendingRequest | undefined)[] = [];
  #next = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Takes a connection; false if the request has to wait, as all are in use. */
  take(pending: PendingRequest): boolean {
    if (this.#inUse < this.#most) {
      this.#inUse += 1;
      return true;
    }
    this.#waiting.push(pending);
    return false;
  }

  /** Gives a connection back; the result is the request that has it now. */
  giveBack(): PendingRequest | undefined {
    while (this.#next < this.#waiting.length) {
      const pending = this.#waiting[this.#next];
      this.#waiting[this.#next] = undefined;
      this.#next += 1;
      // Those whose time was over while they waited are gone.
      if (pending !== undefined && !pending.hasEnded) return pending;
    }
    this.#waiting.length = 0;
    this.#next = 0;
    this.#inUse -= 1;
    return undefined;
  }
}
