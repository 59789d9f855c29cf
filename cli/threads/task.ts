import { type MessagePort, SHARE_ENV, Worker } from 'node:worker_threads';
import type { InHand } from '../../contracts/judging/judge.ts';
import { given } from '../../contracts/wire/json.ts';
import type { Clock } from '../../target/budget/clock.ts';
import { createLiveness, livenessOf } from '../../target/budget/liveness.ts';
import { threadOptions } from '../../target/budget/thread-options.ts';
import type { TaskName, TaskInput, TaskOutput } from '../tasks/index.ts';
import { portTo, type StepWire } from './step-wire.ts';
import { TaskFailed, ThreadEnded, type Thrown } from './task-failed.ts';
import { taskHeapMb } from './task-heap.ts';
import { type EndedBy, watch } from './watchdog.ts';

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

/** What a thread is asked to run. */
export interface TaskOrder {
  readonly name: TaskName;
  readonly input: TaskInput<TaskName>;
  /** To the drive of another target. */
  readonly beside?: MessagePort;
}

/** What the worker sends back. */
export type TaskMessage<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'failed'; readonly thrown: Thrown };

/** A thread that runs one task at a time. */
interface Thread {
  readonly worker: Worker;
  readonly memory: SharedArrayBuffer;
  readonly heapMb: number;
}

/** Threads whose task came to its end: the next task finds modules loaded and code compiled. */
const idle: Thread[] = [];
/** Those that ask a target; their connections are closed when they come to their end. */
const ASKS: ReadonlySet<TaskName> = new Set(['drive', 'limits', 'load']);

/** Whether a thread ends with its task, since code of the user may leave something on its way there. */
function endsThread(name: TaskName, input: TaskInput<TaskName>): boolean {
  const config = 'config' in input ? input.config : {};
  const isOwn = 'rules' in config || 'generators' in config;
  return name === 'configuration' || (ASKS.has(name) && isOwn);
}

function threadFor(name: TaskName, heapMb: number): Thread {
  // Of code of the user no other task is to notice anything.
  const isAlone = name === 'configuration';
  for (const thread of isAlone ? [] : idle.filter((one) => one.heapMb === heapMb)) {
    idle.splice(idle.indexOf(thread), 1);
    if (thread.worker.threadId < 0) continue;
    // Those of its last task; Node has listeners of its own for other events.
    for (const event of ['message', 'error', 'exit']) thread.worker.removeAllListeners(event);
    thread.worker.ref();
    livenessOf(thread.memory).inHand.fill(0);
    return thread;
  }
  const memory = createLiveness();
  const worker = new Worker(new URL('./task-worker.js', import.meta.url), {
    workerData: memory,
    // A configuration may set variables before they are read, as by a file of them.
    ...(isAlone ? { env: SHARE_ENV } : {}),
    ...threadOptions(heapMb),
  });
  return { worker, memory, heapMb };
}

/**
 * Runs a task in a thread that runs nothing else meanwhile. This one can end it whatever the task does: what a
 * target, a contract or a record holds is never looked at in the thread that watches.
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
  const thread = threadFor(name, taskHeapMb(input));
  const { worker, memory } = thread;
  const beside = wire === undefined ? undefined : portTo(wire);
  const order: TaskOrder = { name, input, ...given({ beside }) };
  worker.postMessage(order, beside === undefined ? [] : [beside]);
  const dog = watch(worker, memory, clock, deadlineMs);
  const ended = new Promise<TaskEnd<TaskOutput<Name>>>((resolve, reject) => {
    worker.once('message', (message: TaskMessage<TaskOutput<Name>>) => {
      dog.stop();
      if (message.kind === 'done' && !endsThread(name, input)) {
        worker.unref();
        idle.push(thread);
      } else {
        void worker.terminate();
      }
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
