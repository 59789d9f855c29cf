import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ALL_FORMATS, buildReports, type Taken } from './build-reports.ts';
import { writeLargeRecord } from './large-record.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-large-'));
afterAll(() => {
  rmSync(root, { recursive: true });
});

/** Garbage that V8 has not collected yet differs from run to run by less. */
const NOISE_BYTES = 32 * 2 ** 20;

async function taken(count: number): Promise<Taken & { readonly brokenRules: number }> {
  const dir = join(root, `record-${count}`);
  const out = join(root, `out-${count}`);
  mkdirSync(out);
  const { brokenRules, exchanges, bytes } = await writeLargeRecord(dir, count);
  expect(exchanges).toBe(count);
  const built = await buildReports(dir, out, ALL_FORMATS, 120);
  expect(readFileSync(join(out, 'report.md'), 'utf8')).toContain(
    'zap.path.min-return-within-amount',
  );
  expect(bytes).toBeGreaterThan(500 * count);
  rmSync(dir, { recursive: true });
  return { ...built, brokenRules };
}

test('twenty times the exchanges take no more memory to report on', async () => {
  const few = await taken(3_000);
  const many = await taken(60_000);
  expect(many.brokenRules).toBe(few.brokenRules);
  expect(many.brokenRules).toBeGreaterThan(1);
  expect(many.peakBytes).toBeLessThan(few.peakBytes + NOISE_BYTES);
});

test('a record that is not what it says it is gives no figures', async () => {
  const dir = join(root, 'altered');
  await writeLargeRecord(dir, 1_000);
  appendFileSync(join(dir, 'exchanges.ndjson'), '{}\n');
  await expect(buildReports(dir, root, ['markdown'], 120)).rejects.toThrow(/ended with 4/);
});
