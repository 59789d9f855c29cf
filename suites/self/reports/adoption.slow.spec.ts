import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { KnownFile } from '../../../contracts/run/run-known.ts';
import { assay, type Ended, runOf, scratch, serve } from '../command-line.ts';

const folder = scratch();
const home = folder();
const file = `${home}.known.json`;
const RULE = 'zap.path.min-return-within-amount';
const first = join(home, 'first');

/** Checks a service with a fault, or with none, from loopback. */
async function checked(fault: string | undefined, ...args: readonly string[]): Promise<Ended> {
  const { urls, process: service } = await serve(fault === undefined ? [] : ['--fault', fault]);
  // Each service has other ports.
  const named = ['--zap-url', urls.zap, '--label', 'environment=test'];
  const ended = await assay(['check', ...named, ...args]);
  service.process.kill();
  return ended;
}

beforeAll(async () => {
  const { code, said } = await checked('zap-min-return-added', '--out', first);
  expect(code, said).toBe(1);
  const wrote = await assay(['report', first, '--write-known', file]);
  expect(wrote.code, wrote.said).toBe(0);
});

test('what a run found is a file of rules, operations, places, rates and days', () => {
  const { known } = JSON.parse(readFileSync(file, 'utf8')) as KnownFile;
  expect(known).toContainEqual(
    expect.objectContaining({
      rule: RULE,
      level: 'must',
      since: runOf(first).startedAt.slice(0, 10),
    }),
  );
});

test('with what is known alone a check exits 0, and its verdicts and outcome stay', async () => {
  const out = join(home, 'again');
  const args = ['--known', file, '--seed', '7', '--out', out];
  const { code, said } = await checked('zap-min-return-added', ...args);
  expect(code, said).toBe(0);
  expect(said).toMatch(/does not conform: \d+ known, 0 new: /);
  expect(runOf(out)).toMatchObject({ outcome: 'does-not-conform', known: { fresh: {} } });
  expect(runOf(out).rules.find(({ id }) => id === RULE)?.verdict).toBe('fail');
  const released = await assay([
    'report',
    out,
    '--release',
    '1',
    '--apis',
    'zap',
    '--out',
    join(home, 'release'),
  ]);
  expect(released.code, released.said).toBe(1);
});

test('something else that is broken exits 1, and is listed apart', async () => {
  const args = ['--known', file, '--out', join(home, 'new')];
  const { code, said } = await checked('zap-pools-not-a-number', ...args);
  expect(code, said).toBe(1);
  expect(said).toMatch(/does not conform: \d+ known, [1-9]\d* new: /);
});

test('what is gone is listed, and removed if that is asked for', async () => {
  const pruned = `${file}.pruned`;
  writeFileSync(pruned, readFileSync(file));
  const args = ['--known', pruned, '--prune', 'known', '--out', join(home, 'fixed')];
  const { code, said } = await checked(undefined, ...args);
  expect(code, said).toBe(0);
  expect(said).toContain('Known and gone');
  expect(JSON.parse(readFileSync(pruned, 'utf8'))).toEqual({
    ...{ schemaVersion: 1, target: { environment: 'test' }, asked: 'seed 1, gate, every rule' },
    known: [],
  });
});
