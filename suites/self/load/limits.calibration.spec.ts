import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { assay, runOf, scratch, serve } from '../command-line.ts';

const folder = scratch();

test('the embedded service: three limits of three kinds, in less than 40 s', async () => {
  const dir = folder();
  const { code, seconds } = await assay(['limits', '--out', dir]);
  expect(code).toBe(0);
  expect(seconds).toBeLessThan(40);
  expect(runOf(dir).limits).toMatchObject([
    { algorithms: ['fixed-window'], limit: 20, windowSeconds: 1, scenario: { held: true } },
    { algorithms: ['token-bucket'], burst: 6, scenario: { held: true } },
    { algorithms: ['sliding-log'], limit: 15, windowSeconds: 1, scenario: { held: true } },
  ]);
});

test('two keys of the environment have limits of their own, and stay secret', async () => {
  const [first, second] = ['first-secret-key', 'second-secret-key'];
  const limits = ['--trade-limit', '8/2', '--trade-key-limit', '16/2'];
  const { urls } = await serve(limits, { env: { ASSAY_SERVE_KEYS: `${first},${second}` } });
  const dir = folder();
  const env = { ASSAY_TRADE_KEY: first, ASSAY_TRADE_KEY_2: second };
  const args = ['limits', '--trade-url', urls.trade, '--out', dir];
  const { code, stdout, stderr } = await assay(args, { env });
  expect(code).toBe(0);
  const rows = runOf(dir).limits;
  expect(rows.map(({ scope, limit }) => [scope, limit])).toEqual([
    ['per client address', 8],
    ['per key ($ASSAY_TRADE_KEY)', 16],
    ['per key ($ASSAY_TRADE_KEY_2)', 16],
  ]);
  expect(rows[1]?.buckets).toContainEqual({ kind: 'other-key', met: 'separate' });
  const written = readdirSync(dir).map((name) => readFileSync(join(dir, name), 'utf8'));
  for (const text of [stdout, stderr, ...written]) {
    expect(text).not.toContain(first);
    expect(text).not.toContain(second);
  }
});
