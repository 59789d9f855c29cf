import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpServer, request as askReplica } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LimitRow } from '../../contracts/run.ts';
import { assay, runOf, scratch, serve } from './command-line.ts';

const isInstalled = spawnSync('redis-server', ['--version']).status === 0;
// In CI it has to be there: then the tests run, and fail where it is not.
const hasRedis = isInstalled || process.env.CI === 'true';
if (!hasRedis)
  process.stderr.write(
    'No redis-server on PATH: limits of replicas that share one are not found.\n',
  );

const LIMIT = 10;
/** Long enough for a slow machine to send twice the limit in a small part of it. */
const WINDOW_SECONDS = 6;
const newDir = scratch();

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** A proxy that sends each request to the next of the replicas. */
async function balance(urls: readonly string[]): Promise<string> {
  let count = 0;
  const proxy = createHttpServer((incoming, answer) => {
    const { method, url = '', headers } = incoming;
    const replica = urls[(count += 1) % urls.length] ?? '';
    const outgoing = askReplica(`${replica}${url}`, { method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    outgoing.on('error', () => answer.destroy());
    incoming.pipe(outgoing);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  afterAll(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

/** The limit that `assay limits` finds of two replicas behind a proxy. */
async function limitOf(args: readonly string[]): Promise<LimitRow> {
  const options = ['--zap-limit', `${LIMIT}/${WINDOW_SECONDS}`, ...args];
  const replicas = await Promise.all([serve(options), serve(options)]);
  const url = await balance(replicas.map(({ urls }) => urls.zap));
  const out = newDir();
  // To the replicas every request comes from the proxy.
  const flags = ['--no-other-address', '--no-scenario', '--out', out];
  const { stderr } = await assay(['limits', '--zap-url', url, ...flags]);
  const [row] = runOf(out).limits;
  if (row === undefined) throw new Error(`no limit was found:\n${stderr}`);
  return row;
}

describe.skipIf(!hasRedis)('replicas that share a Redis', () => {
  let url = '';

  beforeAll(async () => {
    const port = await freePort();
    url = `redis://127.0.0.1:${port}`;
    const args = `--port ${port} --bind 127.0.0.1 --appendonly no --save`.split(' ');
    const redis = spawn('redis-server', [...args, ''], { stdio: ['ignore', 'pipe', 'ignore'] });
    afterAll(() => redis.kill());
    for await (const line of redis.stdout) if (String(line).includes('Ready')) break;
  });

  test('have the limit of one', async () => {
    expect(await limitOf(['--redis-url', url])).toMatchObject({
      verdict: 'identified',
      limit: LIMIT,
      windowSeconds: WINDOW_SECONDS,
    });
  });
});

test('replicas with separate memory have it twice, which the headers do not claim', async () => {
  const row = await limitOf([]);
  expect(row.limit).toBe(2 * LIMIT);
  expect(row.headerClaims?.join('\n')).toContain(
    `limit of ${LIMIT} requests, measured ${2 * LIMIT}`,
  );
});
