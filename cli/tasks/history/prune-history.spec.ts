import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunJson } from '../../../contracts/run/run.ts';
import { EXAMPLE_RUN } from '../../../reports/example-run.testkit.ts';
import { INDEX_FILE, readIndex } from './index-file.ts';
import { type HistoryReported, pruneHistory } from './prune-history.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'assay-prune-'));
  for (const day of [1, 2, 3, 4]) keep(day);
});
afterEach(() => {
  rmSync(dir, { recursive: true });
});

/** The record of a day of January. */
function keep(day: number, changes: Partial<RunJson> = {}): void {
  const startedAt = new Date(Date.UTC(2026, 0, day, 2)).toISOString();
  const record = { id: `id-${day}`, exchanges: 1, head: 'a'.repeat(64) };
  const run: RunJson = { ...EXAMPLE_RUN, outcome: 'undecided', startedAt, record, ...changes };
  mkdirSync(join(dir, `n${day}`));
  writeFileSync(join(dir, `n${day}`, 'run.json'), JSON.stringify(run));
  writeFileSync(join(dir, `n${day}`, 'exchanges.ndjson'), '');
}

const folders = (): string[] => readdirSync(dir).filter((name) => name.startsWith('n'));
const recordsOf = ({ rows }: HistoryReported): string[] => rows.map(({ record }) => record);

test('a list removes nothing, and brings the index up to date', async () => {
  const reported = await pruneHistory({ dir, isDryRun: false });
  expect(recordsOf(reported)).toEqual(['there', 'there', 'there', 'there']);
  expect(reported.rows[0]).toMatchObject({
    ...{ run: 'n1', kind: 'limits', musts: 1, warnings: 1, profile: EXAMPLE_RUN.profile },
    ...{ target: { urls: EXAMPLE_RUN.target.urls }, labels: EXAMPLE_RUN.labels ?? {} },
  });
  expect(folders()).toHaveLength(4);
  expect(readIndex(dir).lines.size).toBe(4);
});

test('a run has the APIs that were out, and by what it does not conform', async () => {
  keep(5, { outages: ['zap'], brokenBy: ['rule', 'slower'] });
  const { rows } = await pruneHistory({ dir, isDryRun: true });
  expect(rows.at(-1)).toMatchObject({ outages: ['zap'], brokenBy: ['rule', 'slower'] });
  expect(rows[0]).not.toHaveProperty('outages');
});

test('records one folder deeper are named if there are none', async () => {
  const outer = mkdtempSync(join(tmpdir(), 'assay-prune-'));
  try {
    for (const name of ['empty', 'night']) mkdirSync(join(outer, name));
    for (const day of [1, 2])
      cpSync(join(dir, `n${day}`), join(outer, 'night', `n${day}`), { recursive: true });
    const { rows, notes } = await pruneHistory({ dir: outer, isDryRun: true });
    expect(rows).toEqual([]);
    expect(notes).toEqual([expect.stringMatching(/one folder deeper; .*: night \(2 records\)\.$/)]);
  } finally {
    rmSync(outer, { recursive: true });
  }
  expect((await pruneHistory({ dir, isDryRun: true })).notes.join()).not.toContain('deeper');
});

test('the oldest records go, and their runs stay in the index', async () => {
  const reported = await pruneHistory({ dir, keepRecords: 2, isDryRun: false });
  expect(recordsOf(reported)).toEqual(['removed', 'removed', 'there', 'there']);
  expect(folders()).toEqual(['n3', 'n4']);
  const after = await pruneHistory({ dir, isDryRun: false });
  expect(recordsOf(after)).toEqual(['gone', 'gone', 'there', 'there']);
});

test('records of the last days stay, and those of runs that do not conform', async () => {
  keep(0, { outcome: 'does-not-conform' });
  const keepSinceMs = Date.UTC(2026, 0, 3);
  const input = { dir, keepSinceMs, isDryRun: true } as const;
  const all = ['removed', 'removed', 'removed', 'there', 'there'];
  expect(recordsOf(await pruneHistory(input))).toEqual(all);
  const kept = await pruneHistory({ ...input, keepRed: true });
  expect(recordsOf(kept)).toEqual(all.with(0, 'there'));
});

test('a dry run says so and touches nothing', async () => {
  const reported = await pruneHistory({ dir, keepRecords: 0, isDryRun: true });
  expect(recordsOf(reported)).toEqual(['removed', 'removed', 'removed', 'removed']);
  expect(folders()).toHaveLength(4);
  expect(existsSync(join(dir, INDEX_FILE))).toBe(false);
});

test('a folder with anything that Assay did not write is left there and named', async () => {
  writeFileSync(join(dir, 'n1', 'notes.txt'), 'mine');
  mkdirSync(join(dir, 'n2', 'exchanges'));
  rmSync(join(dir, 'n3', 'exchanges.ndjson'));
  symlinkSync(join(dir, 'n4'), join(dir, 'n3', 'exchanges.ndjson'));
  const reported = await pruneHistory({ dir, keepRecords: 1, isDryRun: false });
  expect(recordsOf(reported)).toEqual(['there', 'there', 'there', 'there']);
  expect(reported.notes.slice(1)).toEqual([
    'n1 was left there: it holds notes.txt, which Assay did not write there.',
    'n2 was left there: it holds exchanges, which Assay did not write there.',
    'n3 was left there: it holds exchanges.ndjson, which Assay did not write there.',
  ]);
  expect(existsSync(join(dir, 'n1', 'notes.txt'))).toBe(true);
});

test('a folder of something else, and a link to one, are never touched', async () => {
  mkdirSync(join(dir, 'other'));
  writeFileSync(join(dir, 'other', 'run.json'), '{}');
  symlinkSync(join(dir, 'n1'), join(dir, 'link'));
  await pruneHistory({ dir, keepRecords: 0, isDryRun: false });
  expect(readdirSync(dir).sort()).toEqual(['history.ndjson', 'link', 'other']);
});

test('where the index cannot have a run, its record stays', async () => {
  mkdirSync(join(dir, INDEX_FILE));
  const reported = await pruneHistory({ dir, keepRecords: 0, isDryRun: false });
  expect(recordsOf(reported)).toEqual(['there', 'there', 'there', 'there']);
  expect(reported.notes.join()).toContain('the index cannot have its run');
});

test('a run that was not judged to its end is listed apart, and its record stays', async () => {
  keep(5, { record: { id: 'id-5' } });
  const reported = await pruneHistory({ dir, keepRecords: 0, isDryRun: false });
  expect(reported.unended.map(({ run }) => run)).toEqual(['n5']);
  expect([reported.rows.length, folders()]).toEqual([4, ['n5']]);
});
