import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { TYPED_ERRORS } from '../../../contracts/service/wire/error-body.ts';
import { createRedactor } from '../../../target/redaction/redactor.ts';
import { planOf, scenarioOf, steady } from '../../samples/sample.testkit.ts';
import type { Sample } from '../../load-sink.ts';
import { createAutocannonEngine } from './autocannon.ts';

/** Serves in a thread of its own, and closes what is idle for 300 ms without saying so. */
const SERVER = `
const { createServer } = require('node:http');
const { parentPort } = require('node:worker_threads');
const server = createServer((request, response) => {
  request.resume();
  response.setHeader('Connection', 'keep-alive');
  setTimeout(() => response.end('{}'), 5);
});
server.keepAliveTimeout = 300;
server.keepAliveTimeoutBuffer = 0;
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

test('what is sent on connections that were closed while the thread stood still is no error of the target', async () => {
  const worker = new Worker(SERVER, { eval: true });
  onTestFinished(async () => {
    await worker.terminate();
  });
  const [port] = (await once(worker, 'message')) as [number];
  const url = `http://127.0.0.1:${port}`;
  const samples: Sample[] = [];
  const facts = await createAutocannonEngine({
    outgoing: {
      config: { zapUrl: url, tradeUrl: url, timeoutMs: 5_000, maxBodyBytes: 100_000 },
      redactor: createRedactor({}),
    },
  }).run({
    ...planOf(scenarioOf([steady(100, 1)], { pacer: 'saturation' })),
    sink: {
      sample: (sample) => {
        samples.push(sample);
        // With an answer of each other connection on its way.
        if (samples.length === 42)
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_800);
      },
    },
    isThrottled: TYPED_ERRORS.isThrottled,
    waitIn: TYPED_ERRORS.waitIn,
    ...{ timeoutMs: 5_000, maxBodyBytes: 100_000, connections: 8 },
    signal: new AbortController().signal,
  });
  expect(samples.filter(({ fate }) => fate !== 'served')).toEqual([]);
  expect(samples.length + facts.dropped).toBe(100);
  expect(facts.dropped).toBeGreaterThan(0);
  expect(facts.problems).toEqual([expect.stringContaining('while this machine stood still')]);
});
