import { parentPort, workerData } from 'node:worker_threads';
import { loadContract } from '../../../contracts/service/load-contract.ts';
import { installLightFetch } from '../../../target/transport/light-fetch.ts';
import { runTask, type Task } from '../../self-test/self-test.ts';
import { runLimitsTask, type LimitsTask } from './limits-self-test.ts';
import { runLoadTask, type LoadTask } from './load-self-test.ts';
import { TESTED } from './tested.ts';

/** Runs the tasks that the main thread hands out, one at a time; the query of its URL says of which kind they are. */
const kind = workerData as '?check' | '?load' | '?limits';
if (kind === '?check') installLightFetch();
const contract = await loadContract();

function run(task: unknown): Promise<unknown> {
  if (kind === '?load') return runLoadTask(task as LoadTask, contract);
  if (kind === '?limits') return runLimitsTask(task as LimitsTask, contract);
  return runTask(TESTED, task as Task, contract);
}

parentPort?.on('message', (task: unknown) => {
  void run(task).then((result) => parentPort?.postMessage(result));
});
parentPort?.postMessage('ready');
