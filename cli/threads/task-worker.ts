import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { Interrupted } from '../../fixtures/target/budget/governor.ts';
import { livenessOf, startBeating } from '../../fixtures/target/budget/liveness.ts';
import { thrownOf } from '../mendable.ts';
import { runTask, type TaskInput, type TaskName } from '../tasks/index.ts';

/** Runs the one task that the thread was started for. */
const { name, input, memory, beside } = workerData as {
  readonly name: TaskName;
  readonly input: TaskInput<TaskName>;
  readonly memory: SharedArrayBuffer;
  readonly beside?: MessagePort;
};
const interruption = new AbortController();
parentPort?.on('message', () => {
  interruption.abort(new Interrupted());
});
parentPort?.unref();
startBeating(memory);
try {
  const value = await runTask(name, input, {
    inHand: livenessOf(memory).inHand,
    signal: interruption.signal,
    ...(beside === undefined ? {} : { beside }),
  });
  parentPort?.postMessage({ kind: 'done', value });
} catch (error) {
  parentPort?.postMessage({ kind: 'failed', thrown: thrownOf(error) });
}
