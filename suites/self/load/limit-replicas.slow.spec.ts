import { once } from 'node:events';
import { createServer, request as askReplica } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, test } from 'vitest';
import type { LimitRow } from '../../../contracts/run/run.ts';
import { assay, runOf, scratch, serve } from '../command-line.ts';
import {
  needsRedis,
  startRedis,
} from '../../../fixtures/service/reference/limiter/redis-server.testkit.ts';

const LIMIT = 10;
/** Long enough for a slow machine to send twice the limit in a small part of it. */
const WINDOW_SECONDS = 6;
const newDir = scratch();

/** A proxy that sends each request to the next of the replicas. */
async function balance(urls: readonly string[]): Promise<string> {
  let count = 0;
  const proxy = createServer((incoming, answer) => {
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
async function limitOf(
  args: readonly string[],
  flagsOfProbe: readonly string[] = [],
): Promise<LimitRow> {
  const options = ['--zap-limit', `${LIMIT}/${WINDOW_SECONDS}`, ...args];
  const replicas = await Promise.all([serve(options), serve(options)]);
  const url = await balance(replicas.map(({ urls }) => urls.zap));
  const out = newDir();
  // To the replicas every request comes from the proxy.
  const flags = ['--no-other-address', '--out', out, ...flagsOfProbe];
  const { stderr } = await assay(['limits', '--zap-url', url, ...flags]);
  const [row] = runOf(out).limits;
  if (row === undefined) throw new Error(`no limit was found:\n${stderr}`);
  return row;
}

let redisUrl = '';

beforeAll(async () => {
  if (!needsRedis) return undefined;
  const { url, stop } = await startRedis();
  redisUrl = url;
  return stop;
});

// Both wait most of the time, so they wait together.
describe.concurrent('two replicas', () => {
  test.skipIf(!needsRedis)('that share a Redis have the limit of one', async ({ expect }) => {
    const row = await limitOf(['--redis-url', redisUrl]);
    expect(row).toMatchObject({ verdict: 'identified', limit: LIMIT });
    // On a busy machine the window is known to a few hundredths of it.
    const [lo = Infinity, hi = 0] = row.intervals?.windowSeconds ?? [];
    expect(lo).toBeLessThanOrEqual(WINDOW_SECONDS);
    expect(hi).toBeGreaterThanOrEqual(WINDOW_SECONDS);
    expect(hi / lo).toBeLessThan(1.1);
  });

  test('with separate memory have it twice, which headers do not claim', async ({ expect }) => {
    // Two counts that begin apart are no single limiter, so that there may be no limit to name.
    const { limit, admitted, headerClaims } = await limitOf([], ['--max-seconds', '60']);
    expect(limit ?? admitted?.requests).toBeGreaterThanOrEqual(2 * LIMIT);
    expect(headerClaims?.join('\n')).toMatch(
      new RegExp(`a limit of ${LIMIT} requests, measured (${2 * LIMIT}|up to [23]\\d within)`),
    );
  });
});
