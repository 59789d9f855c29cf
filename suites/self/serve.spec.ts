import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { assay, serve } from './command-line.ts';

/** A port that is free. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  // Below the range from which the system takes ports of its own accord.
  return 20_000 + (port % 10_000);
}

test('a port that is taken is reported with its number', async () => {
  const { urls } = await serve();
  const { port } = new URL(urls.zap);
  const { code, stderr } = await assay(['serve', '--port-base', port]);
  expect(code).toBe(2);
  expect(stderr).toContain(port);
  expect(stderr).not.toContain('    at ');
});

test('a limit of none limits nothing, and announces no limit', async () => {
  const { urls } = await serve(['--zap-limit', 'none', '--trade-limit', '2/60']);
  const { status, headers } = await fetch(`${urls.zap}/v1/config/chains`);
  expect(status).toBe(200);
  expect([...headers.keys()].filter((name) => /ratelimit/i.test(name))).toEqual([]);
});

test('a Redis that does not answer is reported, and the service says 503 meanwhile', async () => {
  const { urls, process: service } = await serve([
    ...['--redis-url', `redis://127.0.0.1:${await freePort()}`],
  ]);
  await service.printed('Redis does not answer');
  expect((await fetch(`${urls.zap}/v1/pools`)).status).toBe(503);
  service.process.kill('SIGINT');
  const { code, stderr } = await service.ended;
  expect(code).toBe(0);
  expect(stderr.match(/Redis does not answer/g)).toHaveLength(1);
});
