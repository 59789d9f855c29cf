import { Worker } from 'node:worker_threads';
import { largeBytes, moreHeapMb } from '../../contracts/document/contract-limits.ts';
import type { InHand } from '../../contracts/judging/judge.ts';
import { createLiveness, livenessOf } from '../../target/budget/liveness.ts';
import { threadOptions } from '../../target/budget/thread-options.ts';
import { createSilence, type SilenceLimits, USUAL_SILENCE } from '../../target/budget/silence.ts';
import type { FromJudge, JudgeWorkerData, Waiting } from './judge-protocol.ts';

/** Of the thread's own heap beside contracts; more ends it, and leaves the rest of the process as it is. */
const HEAP_MB = 192;

/** A judging thread under way. */
export interface JudgeThread {
  readonly send: (batch: readonly Waiting[]) => void;
  readonly close: () => Promise<void>;
}

/** What a judging thread is watched with. */
export interface JudgeThreadOptions {
  readonly script: URL;
  readonly data: Omit<JudgeWorkerData, 'liveness'>;
  readonly watch?: SilenceLimits;
  readonly onMessage: (message: FromJudge) => void;
  /** Called once when it is over without having been closed: why, and what it had in hand. */
  readonly onLost: (why: string, inHand: InHand) => void;
}

/** Starts a thread that judges, and ends it when it stands still, whatever it does. */
export function startJudgeThread(options: JudgeThreadOptions): JudgeThread {
  const { script, data, watch = USUAL_SILENCE, onMessage, onLost } = options;
  const liveness = createLiveness();
  const { inHand } = livenessOf(liveness);
  const isSilent = createSilence(liveness, watch);
  const worker = new Worker(script, {
    workerData: { ...data, liveness },
    ...threadOptions(HEAP_MB + moreHeapMb(largeBytes(data.contractFiles))),
  });
  let isOver = false;
  const lose = (why: string): void => {
    if (isOver) return;
    isOver = true;
    clearInterval(timer);
    const held = { exchange: Atomics.load(inHand, 0), rule: Atomics.load(inHand, 1) };
    void worker.terminate();
    onLost(why, held);
  };
  const timer = setInterval(() => {
    if (isSilent()) lose('it stood still');
  }, watch.lookedEveryMs);
  worker.on('message', (message: FromJudge) => {
    if (!isOver) onMessage(message);
  });
  worker.on('error', (error: Error) => {
    lose(error.message);
  });
  worker.once('exit', (code) => {
    lose(`it ended by itself with ${code}`);
  });
  return {
    send: (batch) => {
      worker.postMessage(batch);
    },
    close: async () => {
      isOver = true;
      clearInterval(timer);
      await worker.terminate();
    },
  };
}
