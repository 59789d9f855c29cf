import { Worker } from 'node:worker_threads';
import type { InHand } from '../../contracts/judging/judge.ts';
import { createLiveness, livenessOf } from '../../fixtures/target/budget/liveness.ts';
import type { FromJudge, JudgeWorkerData, ToJudge } from './judge-protocol.ts';

/** How a judging thread is watched. */
export interface JudgeWatch {
  readonly lookedEveryMs: number;
  /** Looks at an event loop that stands still before it counts as silent. */
  readonly mostSilentLooks: number;
}

/** Ten seconds, counted in looks, so that a machine that lets neither thread run ends nothing. */
const USUAL_WATCH: JudgeWatch = { lookedEveryMs: 250, mostSilentLooks: 40 };
/** A thread may take this many times as long to begin. */
const BEGINNING = 4;
/** Of the thread's own heap; more ends it, and leaves the rest of the process as it is. */
const HEAP_MB = 192;
const YOUNG_HEAP_MB = 16;

/** A judging thread under way. */
export interface JudgeThread {
  readonly send: (message: ToJudge) => void;
  readonly close: () => Promise<void>;
}

/** What a judging thread is watched with. */
export interface JudgeThreadOptions {
  readonly script: URL;
  readonly data: Omit<JudgeWorkerData, 'liveness'>;
  readonly watch?: JudgeWatch;
  readonly onMessage: (message: FromJudge) => void;
  /** Called once when it is over without having been closed: why, and what it had in hand. */
  readonly onLost: (why: string, inHand: InHand) => void;
}

/** Starts a thread that judges, and ends it when it stands still, whatever it does. */
export function startJudgeThread(options: JudgeThreadOptions): JudgeThread {
  const { script, data, watch = USUAL_WATCH, onMessage, onLost } = options;
  const liveness = createLiveness();
  const { beats, inHand } = livenessOf(liveness);
  const worker = new Worker(script, {
    workerData: { ...data, liveness },
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
  });
  let isOver = false;
  let lastBeat = -1;
  let silentLooks = 0;
  const lose = (why: string): void => {
    if (isOver) return;
    isOver = true;
    clearInterval(timer);
    const held = { exchange: Atomics.load(inHand, 0), rule: Atomics.load(inHand, 1) };
    void worker.terminate();
    onLost(why, held);
  };
  const timer = setInterval(() => {
    const beat = Atomics.load(beats, 0);
    silentLooks = beat === lastBeat ? silentLooks + 1 : 0;
    lastBeat = beat;
    // Before it has begun it has more time: so many threads may begin at once.
    const most = watch.mostSilentLooks * (beat === 0 ? BEGINNING : 1);
    if (silentLooks >= most) lose('it stood still');
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
    send: (message) => {
      worker.postMessage(message);
    },
    close: async () => {
      isOver = true;
      clearInterval(timer);
      await worker.terminate();
    },
  };
}
