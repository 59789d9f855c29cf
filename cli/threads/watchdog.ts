import type { Worker } from 'node:worker_threads';
import type { InHand } from '../../contracts/judging/judge.ts';
import type { Clock } from '../../target/budget/clock.ts';
import { livenessOf } from '../../target/budget/liveness.ts';
import { createSilence, USUAL_SILENCE } from '../../target/budget/silence.ts';

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
  const { inHand } = livenessOf(memory);
  const isSilent = createSilence(memory);
  let endMs = deadlineMs;
  let endedBy: EndedBy | undefined;
  let held: InHand = { exchange: 0, rule: 0 };
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
    if (clock.nowMs() >= endMs) end('time');
    else if (isSilent()) end('silence');
  }, USUAL_SILENCE.lookedEveryMs);
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
