import { Worker } from 'node:worker_threads';

/**
 * Runs tasks on several threads.
 *
 * @param script the compiled worker; what its query says is its `workerData`, since Node 20 drops the query
 * @param onResult called with each result as it comes
 * @param signal no task is begun once it is aborted; those that run come to their end
 * @returns the results in the order of the tasks, without those not begun; rejects with what a worker threw
 */
export async function runTasks<TaskResult extends object>(
  tasks: readonly object[],
  script: URL,
  threads: number,
  onResult: (result: TaskResult, done: number) => void,
  signal?: AbortSignal,
): Promise<TaskResult[]> {
  const results: (TaskResult | undefined)[] = tasks.map(() => undefined);
  let next = 0;
  let done = 0;
  const work = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(script, { workerData: script.search });
      let current = -1;
      worker.on('error', reject);
      worker.on('message', (message: TaskResult | 'ready') => {
        if (message !== 'ready') {
          results[current] = message;
          done += 1;
          onResult(message, done);
        }
        current = next;
        next += 1;
        const task = signal?.aborted === true ? undefined : tasks[current];
        if (task !== undefined) worker.postMessage(task);
        else
          void worker.terminate().then(() => {
            resolve();
          });
      });
    });
  await Promise.all(Array.from({ length: threads }, work));
  return results.filter((result) => result !== undefined);
}
