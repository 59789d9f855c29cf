import { parentPort } from 'node:worker_threads';
import { loadContract } from '../../../contracts/service/load-contract.ts';
import { runLimitsTask, type LimitsTask } from './limits-self-test.ts';

/** Runs the tasks that the main thread hands out, one at a time. */
const contract = await loadContract();
parentPort?.on('message', (task: LimitsTask) => {
  void runLimitsTask(task, contract).then((result) => parentPort?.postMessage(result));
});
parentPort?.postMessage('ready');
