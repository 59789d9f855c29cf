import type { Worker } from 'node:worker_threads';
import type { InHand } from '../../contracts/judging/judge.ts';
import type { Clock } from '../../fixtures/target/budget/clock.ts';
import { livenessOf } from '../../fixtures/target/budget/liveness.ts';

/**
 * Why a thread was ended from outside: its time was over · its event loop stood still · it took more
 * memory than it may · a person asked for it.
 */
export type EndedBy = 'time' | 'silence' | 'memory' | 'request';

/** Watches a thread, and ends it whatever it does. */
export interface Watchdog {
  /** Undefined for a thread that was not ended. */
  readonly endedBy: EndedBy | undefined;
  /** What the thread's judge had in hand when it was ended. */
  readonly inHand: InHand;
  /** Ends the thread now. */
  readonly end: (by: EndedBy) => void;
  /** Moves the end of its time forward; a later time than before changes nothing. */
  readonly endBy: (deadlineMs: number) => void;
  /** Stops watching. */
  readonly stop: () => void;
}

const LOOKED_EVERY_MS = 250;
/**
 * Looks at an event loop that stands still before it counts as silent: 10 s. Counted in looks, so that
 * a machine that lets neither thread run ends nothing.
 */
const MAX_SILENT_LOOKS = 40;

/**
 * @param memory in which the thread shows that it is alive
 * @param deadlineMs when its time is over, on the clock
 */
export function watch(
  worker: Worker,
  memory: SharedArrayBuffer,
  clock: Pick<Clock, 'nowMs'>,
  deadlineMs: number,
): Watchdog {
  const { beats, inHand } = livenessOf(memory);
  let endMs = deadlineMs;
  let endedBy: EndedBy | undefined;
  let held: InHand = { exchange: 0, rule: 0 };
  let lastBeat = -1;
  let silentLooks = 0;
  const note = (by: EndedBy): void => {
    endedBy ??= by;
    held = { exchange: Atomics.load(inHand, 0), rule: Atomics.load(inHand, 1) };
    clearInterval(timer);
  };
  const end = (by: EndedBy): void => {
    note(by);
    void worker.terminate();
  };
  const timer = setInterval(() => {
    const beat = Atomics.load(beats, 0);
    silentLooks = beat === lastBeat ? silentLooks + 1 : 0;
    lastBeat = beat;
    if (clock.nowMs() >= endMs) end('time');
    else if (silentLooks >= MAX_SILENT_LOOKS) end('silence');
  }, LOOKED_EVERY_MS);
  worker.on('error', (error) => {
    if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') note('memory');
  });
  worker.once('exit', () => {
    clearInterval(timer);
  });
  return {
    get endedBy() {
      return endedBy;
    },
    get inHand() {
      return held;
    },
    end,
    endBy: (earlierMs) => {
      endMs = Math.min(endMs, earlierMs);
    },
    stop: () => {
      clearInterval(timer);
    },
  };
}
