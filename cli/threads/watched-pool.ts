import { join } from 'node:path';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { PoolOptions, PoolWorker, WorkerRequest } from 'vitest/node';
import type { Clock } from '../../fixtures/target/budget/clock.ts';
import { createLiveness } from '../../fixtures/target/budget/liveness.ts';
import type { WatchedSuite } from '../../suites/drive-target.ts';
import { type Watchdog, watch } from './watchdog.ts';

/** The one thread that the suites of a run share, watched from this one. */
export interface WatchedPool {
  /** What the test runner takes as its pool. */
  readonly pool: { readonly name: string; createPoolWorker(options: PoolOptions): PoolWorker };
  /** Undefined until the thread is started. */
  readonly dog: () => Watchdog | undefined;
  /** Asks the suites to send nothing more. */
  readonly interrupt: () => void;
}

/** The way to the drive of another target: how many requests each has begun. */
export interface StepWire {
  readonly tell: (mine: number) => void;
  readonly listen: (hear: (theirs: number) => void) => void;
}

/**
 * A pool of one thread. Once it was ended no other takes its place: the rest of the suites would drive
 * the target again.
 *
 * @param heapMb memory of its heap; more ends it
 * @param deadlineMs when the time of the suites is over, on the clock
 * @param wire to the drive of another target, to keep in step with
 */
export function watchedPool(
  heapMb: number,
  clock: Pick<Clock, 'nowMs'>,
  deadlineMs: number,
  wire?: StepWire,
): WatchedPool {
  const memory = createLiveness();
  const { port1: ours, port2: theirs } = new MessageChannel();
  ours.unref();
  const beside = wire === undefined ? undefined : portTo(wire);
  let dog: Watchdog | undefined;

  function startThread({ distPath, env, execArgv }: PoolOptions): Worker {
    if (dog !== undefined) throw new Error('the thread of the suites was ended');
    const assay: WatchedSuite = {
      ...{ memory, interruption: theirs },
      ...(beside === undefined ? {} : { beside }),
    };
    const thread = new Worker(join(distPath, 'workers', 'threads.js'), {
      env: env as NodeJS.ProcessEnv,
      execArgv,
      workerData: { assay },
      transferList: beside === undefined ? [theirs] : [theirs, beside],
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    });
    dog = watch(thread, memory, clock, deadlineMs);
    return thread;
  }

  return {
    pool: {
      name: 'assay-watched',
      createPoolWorker: (options) => poolWorker(() => startThread(options)),
    },
    dog: () => dog,
    interrupt: () => {
      ours.postMessage('interrupt');
    },
  };
}

/** What a thread takes to speak through a wire of this one. */
function portTo(wire: StepWire): MessagePort {
  const { port1, port2 } = new MessageChannel();
  port1.on('message', (mine: number) => {
    wire.tell(mine);
  });
  wire.listen((theirs) => {
    port1.postMessage(theirs);
  });
  port1.unref();
  return port2;
}

function poolWorker(startThread: () => Worker): PoolWorker {
  let thread: Worker | undefined;
  const started = (): Worker => {
    if (thread === undefined) throw new Error('the thread of the suites is not there');
    return thread;
  };
  return {
    name: 'assay-watched',
    start: () => {
      thread ??= startThread();
      return Promise.resolve();
    },
    stop: async () => {
      await thread?.terminate();
    },
    on: (event, callback) => {
      started().on(event, callback);
    },
    off: (event, callback) => {
      thread?.off(event, callback);
    },
    send: (message: WorkerRequest) => {
      started().postMessage(message);
    },
    deserialize: (data) => data,
  };
}
