import { SHARE_ENV, Worker } from 'node:worker_threads';
import type { InHand } from '../../contracts/judging/judge.ts';
import type { Clock } from '../../fixtures/target/budget/clock.ts';
import { createLiveness } from '../../fixtures/target/budget/liveness.ts';
import type { ExitCode } from '../exit-code.ts';
import type { TaskName, TaskInput, TaskOutput } from '../tasks/index.ts';
import { portTo, type StepWire } from './step-wire.ts';
import { taskHeapMb } from './task-heap.ts';
import { type EndedBy, watch } from './watchdog.ts';

/** Thrown in place of what a task threw, which cannot pass from one thread to another as it is. */
export class TaskFailed extends Error {
  override readonly name = 'TaskFailed';
  /** The exit code that a person can do something about; undefined for a fault of Assay itself. */
  readonly exit: ExitCode | undefined;

  constructor({ message, stack, exit }: Thrown) {
    super(message);
    this.exit = exit;
    if (stack !== undefined) this.stack = stack;
  }
}

/** Thrown when the thread of a task came to its end before the task did. */
export class ThreadEnded extends TaskFailed {}

/** What a task threw, as it passes between threads. */
export interface Thrown {
  readonly message: string;
  readonly stack?: string;
  readonly exit?: ExitCode;
}

/** How a task came to its end. */
export type TaskEnd<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'ended'; readonly by: EndedBy; readonly inHand: InHand };

function endedFromWithin(name: TaskName, code: number): string {
  return `the thread of the task ${name} was ended from within, with code ${code}. If the configuration is a module, look for process.exit in it`;
}

/** A task under way. */
export interface Task<T> {
  /** Rejects with {@link TaskFailed} when the task threw. */
  readonly ended: Promise<TaskEnd<T>>;
  /** Asks the task to stop by itself. */
  readonly interrupt: () => void;
  /** Ends it whatever it does. */
  readonly end: (by: EndedBy) => void;
  /** Moves the end of its time forward. */
  readonly endBy: (deadlineMs: number) => void;
}

/** What the worker sends back. */
export type TaskMessage<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'failed'; readonly thrown: Thrown };

const YOUNG_HEAP_MB = 8;

/**
 * Runs a task in a thread of its own, which this one can end whatever the task does: what a target, a
 * contract or a record holds is never looked at in the thread that watches.
 *
 * @param deadlineMs when its time is over, on the clock
 * @param wire of a drive: to that of another target, to keep in step with
 */
export function startTask<Name extends TaskName>(
  name: Name,
  input: TaskInput<Name>,
  clock: Pick<Clock, 'nowMs'>,
  deadlineMs: number,
  wire?: StepWire,
): Task<TaskOutput<Name>> {
  const memory = createLiveness();
  const beside = wire === undefined ? undefined : portTo(wire);
  const worker = new Worker(new URL('./task-worker.js', import.meta.url), {
    workerData: { name, input, memory, ...(beside === undefined ? {} : { beside }) },
    ...(beside === undefined ? {} : { transferList: [beside] }),
    // A configuration may set variables before they are read, as by a file of them.
    ...(name === 'configuration' ? { env: SHARE_ENV } : {}),
    resourceLimits: {
      maxOldGenerationSizeMb: taskHeapMb(input),
      maxYoungGenerationSizeMb: YOUNG_HEAP_MB,
    },
  });
  const dog = watch(worker, memory, clock, deadlineMs);
  const ended = new Promise<TaskEnd<TaskOutput<Name>>>((resolve, reject) => {
    worker.once('message', (message: TaskMessage<TaskOutput<Name>>) => {
      dog.stop();
      void worker.terminate();
      if (message.kind === 'done') resolve(message);
      else reject(new TaskFailed(message.thrown));
    });
    worker.on('error', (error: Error) => {
      const { endedBy: by, inHand } = dog;
      if (by === undefined) reject(new ThreadEnded(error));
      else resolve({ kind: 'ended', by, inHand });
    });
    worker.once('exit', (code) => {
      const { endedBy: by, inHand } = dog;
      if (by !== undefined) resolve({ kind: 'ended', by, inHand });
      else reject(new ThreadEnded({ message: endedFromWithin(name, code) }));
    });
  });
  return {
    ended,
    interrupt: () => {
      worker.postMessage('interrupt');
    },
    end: dog.end,
    endBy: dog.endBy,
  };
}
