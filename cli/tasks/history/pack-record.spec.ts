import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appendLine } from '../../../target/record/recorder.ts';
import { judgedOf, recordRun, statementFor } from '../release/certificate.testkit.ts';
import { certifiedFiles } from '../release/certified-files.ts';
import { packRecord } from './pack-record.ts';
import { pruneHistory } from './prune-history.ts';
import { readHistory } from './read-history.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-pack-'));
afterAll(() => {
  rmSync(root, { recursive: true });
});

const EXCHANGES = 'exchanges.ndjson';
const FILES = [`${EXCHANGES}.gz`, 'findings.ndjson', 'junit.xml.gz', 'run.json'];
const records = join(root, 'records');
const dir = join(records, 'n1');
const plain = join(root, 'plain');
beforeAll(async () => {
  await recordRun(dir, 'r1');
  cpSync(dir, plain, { recursive: true });
  expect(await packRecord(dir)).toBeUndefined();
});

test('a packed record holds the same bytes, and its summary as it was', () => {
  expect(readdirSync(dir).sort()).toEqual(FILES);
  const bytes = readFileSync(join(dir, `${EXCHANGES}.gz`));
  expect(gunzipSync(bytes).equals(readFileSync(join(plain, EXCHANGES)))).toBe(true);
  execFileSync('gzip', ['--test', join(dir, `${EXCHANGES}.gz`)]);
});

test('it is judged alike, and certificates on it are those on the plain one', async () => {
  const [one, other] = await Promise.all([judgedOf(dir), judgedOf(plain)]);
  expect(one).toEqual(other);
  const [statement, of] = [await statementFor([dir]), await statementFor([plain])];
  expect(statement.subject).toEqual(of.subject);
  expect((await certifiedFiles(of, [dir])).faults).toEqual([]);
  const packed = join(dir, `${EXCHANGES}.gz`);
  const before = readFileSync(packed);
  writeFileSync(packed, gzipSync(gunzipSync(before).toString().replace('success', 'Success')));
  expect((await certifiedFiles(of, [dir])).faults.join()).toMatch(/line \d does not continue/);
  writeFileSync(packed, before);
});

test('a history reads it as covered by its lines, and packs records that stay', async () => {
  const { entries, notes } = await readHistory(records);
  expect(entries).toMatchObject([{ id: 'r1' }]);
  expect(notes).toEqual([]);
  cpSync(plain, join(records, 'n2'), { recursive: true });
  rmSync(dir, { recursive: true });
  const { rows } = await pruneHistory({ dir: records, packs: true, isDryRun: false });
  expect(rows).toMatchObject([{ run: 'n2', record: 'there' }]);
  expect(readdirSync(join(records, 'n2')).sort()).toEqual(FILES);
  await pruneHistory({ dir: records, keepRecords: 0, isDryRun: false });
  expect(readdirSync(records)).not.toContain('n2');
});

test('nothing is appended to it', () => {
  const packed = join(root, 'packed');
  cpSync(plain, packed, { recursive: true });
  writeFileSync(join(packed, `${EXCHANGES}.gz`), gzipSync(readFileSync(join(packed, EXCHANGES))));
  rmSync(join(packed, EXCHANGES));
  expect(() => appendLine(packed, 'ab', { judged: { sha256: 'cd' } })).toThrow(/it is packed/);
});
