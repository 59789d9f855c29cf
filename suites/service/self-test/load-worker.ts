import { parentPort } from 'node:worker_threads';
import { loadContract } from '../../../contracts/service/load-contract.ts';
import { runLoadTask, type LoadTask } from './load-self-test.ts';

/** Runs the tasks that the main thread hands out, one at a time. */
const contract = await loadContract();
parentPort?.on('message', (task: LoadTask) => {
  void runLoadTask(task, contract).then((result) => parentPort?.postMessage(result));
});
parentPort?.postMessage('ready');
