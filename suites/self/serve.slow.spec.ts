import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { beforeAll, expect, test } from 'vitest';
import { assay, runOf, scratch, serve, verdictsOf } from './command-line.ts';

const folder = scratch();
let embedded: Readonly<Record<string, string>>;

beforeAll(async () => {
  const dir = folder();
  await assay(['check', '--seed', '3', '--out', dir]);
  embedded = steadyVerdicts(dir);
});

/** The embedded service has its own nodes asked. */
const NODES = ['--rpc-of-service'];

const NEEDS_THROTTLING = /\.throttled\.|\.limit-is-kept$/;

/** The verdicts of a run but on throttled answers: how many it meets depends on how fast it sends. */
function steadyVerdicts(dir: string): Readonly<Record<string, string>> {
  const verdicts = Object.entries(verdictsOf(runOf(dir)));
  return Object.fromEntries(verdicts.filter(([id]) => !NEEDS_THROTTLING.test(id)));
}

/** The first of four ports in a row that are free. */
async function freePorts(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  // Below the range from which the system takes ports of its own accord.
  return 20_000 + (port % 10_000);
}

test('a served reference service gets the verdicts of the embedded one', async () => {
  const base = await freePorts();
  const { urls, targets, process: service } = await serve(['--port-base', String(base)]);
  expect(urls).toEqual({
    zap: `http://127.0.0.1:${base}`,
    trade: `http://127.0.0.1:${base + 1}`,
    docs: `http://127.0.0.1:${base + 2}`,
    ai: `http://127.0.0.1:${base + 3}`,
  });
  const dir = folder();
  const { code } = await assay(['check', '--seed', '3', ...NODES, '--out', dir, ...targets]);
  expect(code).toBe(0);
  expect(steadyVerdicts(dir)).toEqual(embedded);
  expect(runOf(dir).target).toMatchObject({ kind: 'remote', urls, credentials: [] });

  service.process.kill('SIGINT');
  expect((await service.ended).code).toBe(0);
});

test('so does one on a single port', async () => {
  const { urls, targets } = await serve(['--single-port']);
  expect(urls.trade).toBe(`${new URL(urls.zap).origin}/trade`);
  const dir = folder();
  const { code } = await assay(['check', '--seed', '3', ...NODES, '--out', dir, ...targets]);
  expect(code).toBe(0);
  expect(steadyVerdicts(dir)).toEqual(embedded);
});

test('an API that is not configured is not reached, which fails nothing', async () => {
  const { urls } = await serve();
  const dir = folder();
  const { code, stdout } = await assay(['check', ...NODES, '--out', dir, '--zap-url', urls.zap]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^ {2}zap http:\S+, trade, docs and ai not configured$/m);
  for (const { id, api, verdict, reason } of runOf(dir).rules) {
    if (api === 'zap' && NEEDS_THROTTLING.test(id)) continue;
    if (api === 'zap') expect([id, verdict]).toEqual([id, embedded[id]]);
    else
      expect([id, verdict, reason]).toEqual([
        id,
        'not-reached',
        `the ${api} API is not configured`,
      ]);
  }
});
