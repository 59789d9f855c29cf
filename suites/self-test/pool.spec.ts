import { expect, test } from 'vitest';
import { runTasks } from './pool.ts';

const TWICE = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ number }) => parentPort.postMessage({ twice: 2 * number }));
    parentPort.postMessage('ready');
  `)}`,
);
const tasks = [1, 2, 3, 4, 5].map((number) => ({ number }));

test('results come in the order of the tasks, whichever thread took them', async () => {
  const results = await runTasks<{ twice: number }>(tasks, TWICE, 2, () => undefined);
  expect(results.map(({ twice }) => twice)).toEqual([2, 4, 6, 8, 10]);
});

test('a thread gets what the query of its script says', async () => {
  const source = `
    import { parentPort, workerData } from 'node:worker_threads';
    parentPort.on('message', () => parentPort.postMessage({ workerData }));
    parentPort.postMessage('ready');
  `;
  const script = new URL(`data:text/javascript,${encodeURIComponent(source)}?load`);
  const results = await runTasks([{}], script, 1, () => undefined);
  expect(results).toEqual([{ workerData: '?load' }]);
});

test('once it is aborted no task is begun, and what was done is reported', async () => {
  const ending = new AbortController();
  const seen = (_: object, done: number): void => {
    if (done === 2) ending.abort();
  };
  const results = await runTasks<{ twice: number }>(tasks, TWICE, 1, seen, ending.signal);
  expect(results.map(({ twice }) => twice)).toEqual([2, 4]);
});
