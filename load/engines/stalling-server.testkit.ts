import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** A server whose latencies are known, on a thread of its own. */
export interface StallingServer {
  readonly url: string;
  close(): Promise<void>;
}

/** How it answers: after the base, but nothing in the last part of each period. */
export interface Stalls {
  readonly baseMs: number;
  readonly periodMs: number;
  readonly stallMs: number;
}

/** When an answer is complete to what arrives at a time, in ms from the first request. */
export function completeMs(arrivesMs: number, { baseMs, periodMs, stallMs }: Stalls): number {
  const inPeriod = arrivesMs % periodMs;
  const isStalled = inPeriod >= periodMs - stallMs;
  return arrivesMs + baseMs + (isStalled ? periodMs - inPeriod : 0);
}

/**
 * Starts one; its periods begin with its first request. What it is made of is JavaScript, as Node runs
 * no TypeScript in threads. Timers wake up late by up to a millisecond, so it waits for the last bit awake.
 */
export async function startStallingServer(stalls: Stalls): Promise<StallingServer> {
  const worker = new Worker(
    `
    const { createServer } = require('node:http');
    const { parentPort, workerData } = require('node:worker_threads');
    const completeMs = ${completeMs.toString()};
    let firstMs;
    const server = createServer((request, response) => {
      const nowMs = performance.now();
      firstMs ??= nowMs;
      const readyMs = firstMs + completeMs(nowMs - firstMs, workerData);
      const answer = () => {
        if (performance.now() < readyMs) setImmediate(answer);
        else response.end('{"status":"success"}');
      };
      setTimeout(answer, readyMs - nowMs - 2);
      request.resume();
    });
    server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
    `,
    { eval: true, workerData: stalls },
  );
  const [port] = (await once(worker, 'message')) as [number];
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      await worker.terminate();
    },
  };
}
