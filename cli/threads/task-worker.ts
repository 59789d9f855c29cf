import { parentPort, workerData } from 'node:worker_threads';
import { Interrupted } from '../../target/budget/governor.ts';
import { livenessOf, startBeating } from '../../target/budget/liveness.ts';
import { thrownOf } from './task-failed.ts';
import { runTask } from '../tasks/index.ts';
import type { TaskOrder } from './task.ts';

/** Runs the tasks that the thread is asked for, one at a time. */
const memory = workerData as SharedArrayBuffer;
const { inHand } = livenessOf(memory);
let interruption = new AbortController();
parentPort?.on('message', (asked: TaskOrder | 'interrupt') => {
  if (asked === 'interrupt') interruption.abort(new Interrupted());
  else void run(asked);
});
startBeating(memory);

async function run({ name, input, beside }: TaskOrder): Promise<void> {
  interruption = new AbortController();
  const { signal } = interruption;
  // A task that waits for what never comes ends the thread.
  parentPort?.unref();
  try {
    const value = await runTask(name, input, {
      ...{ inHand, signal },
      ...(beside === undefined ? {} : { beside }),
    });
    parentPort?.postMessage({ kind: 'done', value });
  } catch (error) {
    parentPort?.postMessage({ kind: 'failed', thrown: thrownOf(error) });
  }
  parentPort?.ref();
}
