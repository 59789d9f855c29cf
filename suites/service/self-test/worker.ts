import { parentPort } from 'node:worker_threads';
import { loadContract } from '../../../contracts/service/load-contract.ts';
import { installLightFetch } from '../../../fixtures/target/transport/light-fetch.ts';
import type { Task } from '../../self-test/self-test.ts';
import { runTask } from '../../self-test/self-test.ts';
import { TESTED } from './tested.ts';

/** Runs the tasks that the main thread hands out, one at a time. */
installLightFetch();
const contract = await loadContract();
parentPort?.on('message', (task: Task) => {
  void runTask(TESTED, task, contract).then((result) => parentPort?.postMessage(result));
});
parentPort?.postMessage('ready');
