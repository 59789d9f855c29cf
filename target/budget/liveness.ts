/** What a worker thread shows of itself to the thread that watches it, in memory that both see. */

import { setInterval } from 'node:timers';
import { onProgress } from '../../contracts/document/large/progress.ts';

/** A view on such memory. */
export interface Liveness {
  /** What its judge has in hand: the number of the exchange, and the place of the rule, from 1. */
  readonly inHand: Int32Array;
  /** Grows for as long as the thread's event loop turns, or its own computation gets on. */
  readonly beats: Int32Array;
}

const BEAT_MS = 250;
const NUMBERS = 3;

/** Memory for one thread. */
export function createLiveness(): SharedArrayBuffer {
  return new SharedArrayBuffer(NUMBERS * Int32Array.BYTES_PER_ELEMENT);
}

/** The two parts of it. */
export function livenessOf(memory: SharedArrayBuffer): Liveness {
  const all = new Int32Array(memory);
  return { inHand: all.subarray(0, 2), beats: all.subarray(2) };
}

/** Where this thread shows itself alive; a thread that nobody watches has none. */
let ownBeats: Int32Array | undefined;

/** Lets the watching thread see that this one is alive; it does not keep the thread alive. */
export function startBeating(memory: SharedArrayBuffer): void {
  ownBeats = livenessOf(memory).beats;
  showAlive();
  onProgress(showAlive);
  setInterval(showAlive, BEAT_MS).unref();
}

/**
 * Shows the watching thread that this one gets on, amid a long computation of Assay's own that lets the
 * event loop wait. Code that a target or a configuration can keep busy must not call it.
 */
export function showAlive(): void {
  if (ownBeats !== undefined) Atomics.add(ownBeats, 0, 1);
}
