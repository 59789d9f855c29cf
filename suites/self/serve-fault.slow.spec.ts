import { expect, test } from 'vitest';
import { assay, runOf, scratch, serve, verdictsOf } from './command-line.ts';

const folder = scratch();

test('a fault is served and said, and a check catches it', async () => {
  const { targets, process: service } = await serve(['--fault', 'trade-no-challenge']);
  const dir = folder();
  const { code } = await assay(['check', '--only', 'trade.*', '--out', dir, ...targets]);
  expect(code).toBe(1);
  const verdicts = verdictsOf(runOf(dir));
  expect(Object.keys(verdicts).filter((id) => verdicts[id] === 'fail')).toEqual([
    'trade.auth.challenge',
  ]);
  service.process.kill('SIGINT');
  expect((await service.ended).stdout).toContain('It has the fault trade-no-challenge: ');
});

test('the options that a fault needs are set', async () => {
  const { urls } = await serve(['--fault', 'zap-throttled-without-wait']);
  const statuses = new Set<number>();
  for (let sent = 0; sent < 70; sent += 1) {
    const response = await fetch(`${urls.zap}/v1/config/chains`);
    statuses.add(response.status);
    if (response.status === 429) expect(await response.json()).not.toHaveProperty('retryAfter');
    else await response.arrayBuffer();
  }
  expect([...statuses]).toEqual([200, 429]);
});

test('a fault that copies requests gets to see their bodies', async () => {
  const { urls } = await serve(['--fault', 'any-words-raise-limit']);
  const response = await fetch(`${urls.trade}/v1/buildTx`, {
    method: 'POST',
    headers: { Authorization: 'Bearer made-up', 'Content-Type': 'application/json' },
    body: '{"fromChain":"none"}',
  });
  const { message } = (await response.json()) as { message: string };
  expect(message).toContain('fromChain');
});

test.each([[[]], [['--single-port']]])('a fault is there with %j', async (more) => {
  const { urls } = await serve(['--fault', 'chains-absent', ...more]);
  expect((await fetch(`${urls.zap}/v1/config/chains`)).status).toBe(404);
  expect((await fetch(`${urls.zap}/v1/pools?limit=1`)).status).toBe(200);
});

test('faults and variants are listed', async () => {
  const { code, stdout } = await assay(['serve', '--list-faults']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^ {2}trade-no-challenge\n {4}breaks trade\.auth\.challenge: /m);
  expect(stdout).toMatch(/^\d+ faults, \d+ variants$/m);
});

test.each([
  [
    ['--fault', 'trade-no-chalenge'],
    'there is no fault trade-no-chalenge. Did you mean trade-no-challenge?',
  ],
  [
    ['--fault', 'trade-no-challenge', '--fault', 'chains-absent'],
    'a service has one change: give one --fault, not trade-no-challenge and chains-absent',
  ],
  [
    ['--fault', 'zap-throttled-without-wait', '--zap-limit', '5/60'],
    'zap-throttled-without-wait sets what it needs by itself: leave out --zap-limit',
  ],
  [['--variant', 'no-such-one'], 'there is no variant no-such-one.'],
  [['--fault', 'trade-no-challenge', '--variant', 'a'], 'give --fault or --variant'],
])('%j is wrong use', async (args, message) => {
  const { code, said } = await assay(['serve', ...args]);
  expect(code).toBe(2);
  expect(said).toContain(message);
});
