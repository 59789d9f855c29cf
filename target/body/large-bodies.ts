import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { resourceLimits } from 'node:worker_threads';
import type { Exchange } from '../../contracts/wire/exchange.ts';

/** From this size on a body is worth a collection of its own. */
const LARGE_CHARACTERS = 500_000;

let collect: (() => void) | undefined;

/**
 * To be called once an exchange has been dealt with. V8 lets garbage grow to a share of the whole
 * machine's memory. A service that sends nothing but large bodies must not make a run take that.
 */
export function afterLargeBody({ outcome }: Exchange): void {
  if (outcome.kind === 'failure') {
    if (outcome.failure === 'too-large') collectGarbage();
  } else if (outcome.response.body.text.length >= LARGE_CHARACTERS) {
    collectGarbage();
  }
}

/** Characters of large bodies after which it is worth it also if it delays what is sent. */
const MANY_CHARACTERS = 16_777_216;

/** As {@link afterLargeBody}, once for several of them: a collection stops the thread that sends. */
export function afterLargeBodies(): (exchange: Exchange) => void {
  let characters = 0;
  return ({ outcome }) => {
    const { length } = outcome.kind === 'response' ? outcome.response.body.text : '';
    if (length < LARGE_CHARACTERS) return;
    characters += length;
    if (characters < MANY_CHARACTERS) return;
    characters = 0;
    collectGarbage();
  };
}

/** The same of a line of a record that nothing was made of. */
export function afterLargeLine(line: Buffer): void {
  if (line.length >= LARGE_CHARACTERS) collectGarbage();
}

/** Collects all garbage of this thread now, which takes some ms. */
export function collectGarbage(): void {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  collect();
}

/** The heap of a thread may be this full: what is judged at the end needs room, too. */
const FULL = 0.7;
/** Calls between two looks at the heap. */
const LOOKED_EVERY = 100;

/**
 * Whether the heap of this thread has room for what more exchanges leave behind. Garbage does not
 * count: it is collected before the answer is no, and once it is no it stays so.
 */
export function roomInHeap(): () => boolean {
  let asked = 0;
  let isFull = false;
  const share = (): number => {
    const { used_heap_size: used, heap_size_limit: ofProcess } = getHeapStatistics();
    const { maxOldGenerationSizeMb: ofThread } = resourceLimits;
    return used / (ofThread === undefined ? ofProcess : ofThread * 2 ** 20);
  };
  return () => {
    asked += 1;
    if (isFull || asked % LOOKED_EVERY !== 0 || share() < FULL) return !isFull;
    collectGarbage();
    isFull = share() >= FULL;
    return !isFull;
  };
}
