/** A thread that probes the random services of the seeds that it is given, one after another. */
import { parentPort } from 'node:worker_threads';
import { randomRow } from './random-row.ts';

parentPort?.on('message', ({ seed }: { readonly seed: number }) => {
  void randomRow(seed).then((row) => {
    parentPort?.postMessage(row);
  });
});
parentPort?.postMessage('ready');
