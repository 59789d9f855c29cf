import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { assay, exchangesOf, runOf, scratch, serve, start, verdictsOf } from '../command-line.ts';

const folder = scratch();

/** Ten requests in half a second, whoever asks. */
async function oneLimitForAll(): Promise<string> {
  const windowMs = 500;
  let [startedMs, count] = [0, 0];
  const server = createServer((_, response) => {
    const nowMs = Date.now();
    if (nowMs >= startedMs + windowMs) [startedMs, count] = [nowMs, 0];
    count += 1;
    const [status, code] = [count > 10 ? 429 : 200, 'RATE_LIMITED'];
    const body =
      status === 200
        ? { status: 'success', data: {} }
        : { status, code, message: 'too many', requestId: `r${nowMs}`, retryAfter: 1 };
    response.writeHead(status, { 'Content-Type': 'application/json', 'X-RateLimit-Limit': '10' });
    response.end(JSON.stringify(body));
  });
  afterAll(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('limits', () => {
  test('finds a limit, judges it, plots it, and is judged again alike', async () => {
    const { urls } = await serve(['--zap-limit', '10/500ms']);
    const [dir, again] = [folder(), folder()];
    const args = ['--zap-url', urls.zap, '--out', dir];
    const { code, stdout, stderr } = await assay(['limits', ...args]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const run = runOf(dir);
    expect(run).toMatchObject({ outcome: 'conforms', complete: true });
    expect(run.limits).toMatchObject([
      { api: 'zap', scope: 'per client address', limit: 10, retryAfter: { verdict: 'honest' } },
    ]);
    expect(verdictsOf(run)).toMatchObject({
      'zap.limits.per-address': 'pass',
      'zap.throttled.retry-after': 'pass',
      'trade.limits.key-raises-limit': 'not-reached',
    });
    expect(stderr).toContain(
      'zap per client address: finding the limit with GET /v1/config/chains',
    );
    // On a busy machine the interval is wide, and what is most likely may be off.
    const [, first = '', least = first, most, last = first] =
      /10 requests in (0\.\d+)(?: \((0\.\d+) to (0\.\d+)\)| to (0\.\d+))? s/.exec(stdout) ?? [];
    expect(Number(least)).toBeGreaterThan(0.4);
    expect(Number(least)).toBeLessThanOrEqual(0.51);
    expect(Number(most ?? last)).toBeGreaterThanOrEqual(0.49);
    expect(Number(most ?? last)).toBeLessThan(0.7);
    expect(readFileSync(join(dir, 'limits.svg'), 'utf8')).toMatch(/^<svg .*admitted/s);

    const judged = await assay(['judge', dir, '--out', again]);
    expect(judged.code).toBe(0);
    expect(runOf(again)).toEqual(run);
  });

  test('does not conform when addresses share a limit', async () => {
    const dir = folder();
    const args = ['--zap-url', await oneLimitForAll(), '--out', dir];
    const { code, said } = await assay(['limits', ...args]);
    expect(code).toBe(1);
    expect(verdictsOf(runOf(dir))['zap.limits.per-address']).toBe('fail');
    expect(said).toContain('A client is not throttled for what another address did.');
  });

  test('interrupted, reports what it knows', async () => {
    const { urls } = await serve(['--zap-limit', '15/60']);
    const dir = folder();
    const probe = start(['limits', '--zap-url', urls.zap, '--out', dir]);
    await probe.printed('s of waiting');
    probe.process.kill('SIGINT');
    const { code, stderr } = await probe.ended;
    expect(code).toBe(3);
    expect(stderr).toContain('Interrupted: judging what was recorded.');
    const run = runOf(dir);
    expect(run).toMatchObject({ outcome: 'undecided', complete: false });
    expect(run.limits).toMatchObject([{ api: 'zap', verdict: 'inconclusive' }]);
    expect(run.notices.join()).toContain('interrupted');
  });

  test('out of budget, is undecided', async () => {
    const { urls } = await serve();
    const dir = folder();
    const args = ['--zap-url', urls.zap, '--max-requests', '25', '--out', dir];
    const { code, said } = await assay(['limits', ...args]);
    expect(code).toBe(3);
    expect(exchangesOf(dir).length).toBeLessThanOrEqual(25);
    expect(runOf(dir)).toMatchObject({ complete: false, outcome: 'undecided' });
    expect(runOf(dir).limits).toMatchObject([{ verdict: 'above-budget' }]);
    expect(said).toContain('More requests or a higher rate may meet it.');
  });

  test('is undecided if nothing listens', async () => {
    const { code, said } = await assay([
      'limits',
      '--zap-url',
      'http://127.0.0.1:1',
      '--out',
      folder(),
    ]);
    expect(code).toBe(3);
    expect(said).toContain('no answer came: nothing listens at this address');
  });
});

describe('a host that is not loopback', () => {
  test.each([
    ['nobody allowed', []],
    ['that is part of an allowed one', ['--allow-limits', 'api.service.test']],
    ['of which another is allowed', ['--allow-limits', 'other.test']],
  ])('%s is not probed', async (_, flags) => {
    const out = folder();
    const args = ['limits', '--zap-url', 'http://service.test', '--out', out, ...flags];
    const { code, stderr } = await assay(args);
    expect(code).toBe(2);
    expect(stderr).toContain('--allow-limits service.test');
    expect(existsSync(out)).toBe(false);
  });
});

test('help says what it does and what it costs', async () => {
  const { code, said } = await assay(['limits', '--help']);
  expect(code).toBe(0);
  for (const text of [
    '--allow-limits',
    '--max-rejects',
    '--no-other-address',
    'limits.svg',
    'ASSAY_TRADE_KEY_2',
  ])
    expect(said).toContain(text);
});

test('a key on the command line is refused', async () => {
  const { code, stderr } = await assay(['limits', '--trade-key', 'secret-key-value']);
  expect(code).toBe(2);
  expect(stderr).not.toContain('secret-key-value');
});
