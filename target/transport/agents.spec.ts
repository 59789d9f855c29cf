import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
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
