import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { createAgents } from './agents.ts';

test('connections that are not made yet count among those to an origin, also once another one ended', async () => {
  const server = createServer((_, response) => {
    response.setHeader('connection', 'close').end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://slow.test:${(server.address() as AddressInfo).port}`;
  let asked = 0;
  // Connecting begins by resolving the name, which comes to an end for the first alone.
  const lookup: LookupFunction = (_name, _options, answer) => {
    asked += 1;
    if (asked === 1) answer(null, [{ address: '127.0.0.1', family: 4 }]);
  };
  const agents = createAgents({ connections: 2, lookup });
  onTestFinished(async () => {
    await agents.close();
    server.close();
  });
  const send = () => agents.from(undefined, origin).request({ origin, path: '/', method: 'GET' });
  const first = send();
  void send().catch(() => undefined);
  await (await first).body.text();
  for (let at = 0; at < 8; at += 1) {
    await sleep(5);
    void send().catch(() => undefined);
  }
  await sleep(20);
  expect(asked).toBeGreaterThan(1);
  expect(asked).toBeLessThanOrEqual(3);
});

/** Serves in a thread of its own; the body of an answer is the number of its connection. */
const SERVER = `
const { createServer } = require('node:http');
const { parentPort } = require('node:worker_threads');
let opened = 0;
const server = createServer((request, response) => {
  setTimeout(() => response.end(String(request.socket.number)), 300);
});
server.on('connection', (socket) => { opened += 1; socket.number = opened; });
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

test.each([
  {
    stillMs: 1_500,
    used: ['1', '2'],
    name: 'after the thread stood still connections are made anew',
  },
  { stillMs: 0, used: ['1', '1'], name: 'a connection is used again while the thread goes on' },
])('$name', async ({ stillMs, used }) => {
  const worker = new Worker(SERVER, { eval: true });
  const [port] = (await once(worker, 'message')) as [number];
  const origin = `http://127.0.0.1:${port}`;
  const agents = createAgents({});
  onTestFinished(async () => {
    await agents.close();
    await worker.terminate();
  });
  const send = async (): Promise<string> => {
    const answer = await agents
      .from(undefined, origin)
      .request({ origin, path: '/', method: 'GET' });
    return answer.body.text();
  };
  const first = send();
  // The request is on the wire then, and its answer comes meanwhile.
  await sleep(100);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stillMs);
  const one = await first;
  await sleep(20);
  expect([one, await send()]).toEqual(used);
});
