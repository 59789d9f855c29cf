/** Long because each way in which the records and the index of one folder may be wrong is tried with the same few helpers. */

import { createHash } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunJson } from '../../../contracts/run/run.ts';
import { chainStart, seal } from '../../../target/record/record-chain.ts';
import { EXAMPLE_RUN } from '../../../reports/example-run.testkit.ts';
import { historyFolder } from '../../flags/history-flag.ts';
import { INDEX_FILE, MAX_ENTRIES, readIndex } from './index-file.ts';
import { readHistory } from './read-history.ts';
import { runAmong } from './run-among.ts';

// Read when the first text is made safe.
const SECRET = 'folder-7f3a9c51';
process.env.ASSAY_SECRET_FOLDER = SECRET;

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'assay-history-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true });
});

/** The run of a day of January. */
function runOf(day: number, changes: Partial<RunJson> = {}): RunJson {
  const startedAt = new Date(Date.UTC(2026, 0, day, 2)).toISOString();
  const record = { id: `id-${day}`, exchanges: 1, head: 'a'.repeat(64) };
  return { ...EXAMPLE_RUN, startedAt, endedAt: startedAt, record, ...changes };
}

function keep(name: string, run: unknown): void {
  mkdirSync(join(dir, name));
  writeFileSync(join(dir, name, 'run.json'), typeof run === 'string' ? run : JSON.stringify(run));
}

const among = (day: number, keeps = true): ReturnType<typeof runAmong> => {
  const name = `n${day}`;
  if (!existsSync(join(dir, name))) keep(name, runOf(day));
  return runAmong(dir, join(dir, name), runOf(day), keeps);
};
const idsOf = (history: Awaited<ReturnType<typeof runAmong>>): unknown =>
  history?.entries.map(({ id }) => id);

test('the first run of a history makes it, and later ones are shown among those before', async () => {
  expect(idsOf(await among(1))).toEqual(['id-1']);
  expect(idsOf(await among(2))).toEqual(['id-1', 'id-2']);
  expect(readIndex(dir).lines.size).toBe(2);
});

test('records that are not in the index yet are read, whoever made them', async () => {
  keep('old', runOf(1));
  expect(idsOf(await among(3))).toEqual(['id-1', 'id-3']);
  expect([...readIndex(dir).lines.keys()]).toEqual(['id-1', 'id-3']);
});

test('of very many records the newest are read first, and the rest by later runs', async () => {
  for (let at = 100; at < 310; at += 1) {
    keep(`r${at}`, runOf(1, { record: { id: `id-${at}`, exchanges: 1, head: 'a'.repeat(64) } }));
  }
  const { entries, notes } = await readHistory(dir);
  expect(entries.map(({ id }) => id)).toContain('id-309');
  expect(notes).toEqual([
    'Nothing covers what 200 earlier records say, as an earlier version wrote them, or their exchanges are gone: believed as they stand.',
    '10 records were not read yet: the next run with this history goes on.',
  ]);
  await among(2);
  expect((await readHistory(dir)).entries).toHaveLength(211);
});

test('a record that is gone stays in the index, and one that was replaced is read again', async () => {
  await among(1);
  await among(2);
  rmSync(join(dir, 'n1'), { recursive: true });
  writeFileSync(join(dir, 'n2', 'run.json'), JSON.stringify(runOf(2, { seed: 77 }), undefined, 1));
  const history = await among(3);
  expect(idsOf(history)).toEqual(['id-1', 'id-2', 'id-3']);
  expect(history?.entries[1]?.seed).toBe(77);
});

test('a secret in the name of a folder stands nowhere', async () => {
  keep(`n-${SECRET}`, runOf(1));
  await among(2);
  const history = await among(3);
  expect(idsOf(history)).toEqual(['id-1', 'id-2', 'id-3']);
  const index = readFileSync(join(dir, INDEX_FILE), 'utf8');
  expect(index + JSON.stringify(history)).not.toContain(SECRET);
  expect(index.match(/n-\$ASSAY_SECRET_FOLDER/g)).toHaveLength(1);
});

test('a report only reads', async () => {
  expect(idsOf(await among(1, false))).toEqual(['id-1']);
  expect(existsSync(join(dir, INDEX_FILE))).toBe(false);
});

describe('a record that is not as its run left it is left out and named', () => {
  /** A record as a run leaves it, with the digest of its summary. */
  const keepCovered = (day: number, name = `n${day}`): string => {
    keep(name, runOf(day));
    const file = join(dir, name, 'run.json');
    const { id } = runOf(day).record;
    const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
    const begins = seal('{"run":{}}', chainStart(id));
    const ends = seal(JSON.stringify({ judged: { sha256 } }), begins.head);
    writeFileSync(join(dir, name, 'exchanges.ndjson'), Buffer.concat([begins.line, ends.line]));
    return file;
  };
  /** Leaves the bytes and the time of the file as they were. */
  const edit = (file: string): void => {
    const { mtime } = statSync(file);
    const edited = readFileSync(file, 'utf8').replace('"seed":4', '"seed":5');
    expect(edited).not.toBe(readFileSync(file, 'utf8'));
    writeFileSync(file, edited);
    utimesSync(file, mtime, mtime);
  };
  const LEFT_OUT =
    'Left out, as they are no evidence: n1 (its run.json is not as its run left it, so it is no evidence; restore it).';

  test('whether or not the index had it', async () => {
    edit(keepCovered(1));
    keepCovered(2);
    const { entries, notes } = await readHistory(dir);
    expect([entries.map(({ id }) => id), notes]).toEqual([['id-2'], [LEFT_OUT]]);
  });

  test('with the bytes and the time that the index has', async () => {
    const file = keepCovered(1);
    keepCovered(2);
    await among(3);
    expect((await readHistory(dir, 'n3')).entries).toHaveLength(3);
    edit(file);
    const { entries, notes } = await readHistory(dir, 'n3');
    expect([entries.map(({ id }) => id), notes]).toEqual([['id-2', 'id-3'], [LEFT_OUT]]);
  });

  test.each(['a', 'z'])('and not named by a copy without exchanges, %s', async (name) => {
    keepCovered(1);
    keep(name, runOf(1, { seed: 77 }));
    const { entries, folders, notes } = await readHistory(dir);
    expect(entries).toMatchObject([{ id: 'id-1', run: 'n1' }]);
    expect([[...folders], notes]).toEqual([[['id-1', 'n1']], []]);
  });

  test('and an index that was edited is no word against it', async () => {
    keepCovered(1);
    await among(2);
    const file = join(dir, INDEX_FILE);
    const written = readFileSync(file, 'utf8');
    const edited = written.replaceAll('"outcome":"does-not-conform"', '"outcome":"conforms"');
    expect(edited).not.toBe(written);
    writeFileSync(file, edited);
    const { entries } = await readHistory(dir);
    expect(new Set(entries.map(({ outcome }) => outcome))).toEqual(new Set(['does-not-conform']));
  });

  test('where the line that names the summary is gone', async () => {
    keepCovered(1);
    const file = join(dir, 'n1', 'exchanges.ndjson');
    writeFileSync(file, `${readFileSync(file, 'utf8').split('\n')[0] ?? ''}\n`);
    expect((await readHistory(dir)).notes).toEqual([LEFT_OUT]);
  });
});

test('folders with a record whose outcome is not known are named, each with why', async () => {
  await among(1);
  keep('under-way', runOf(2, { record: { id: 'id-2' } }));
  cpSync(join(dir, 'n1'), join(dir, 'bare'), { recursive: true });
  rmSync(join(dir, 'bare', 'run.json'));
  writeFileSync(join(dir, 'bare', 'exchanges.ndjson'), '');
  const { unread, unended, notes } = await readHistory(dir);
  expect(unended).toMatchObject([{ run: 'under-way', startedAt: '2026-01-02T02:00:00.000Z' }]);
  expect(unread).toEqual(['bare (it has no run.json)']);
  // It is listed, as a run that is not judged.
  expect(notes.join()).not.toMatch(/Left out[^.]*under-way/);
});

test('a copy of a record counts once, a run without an end and a replay never', async () => {
  await among(1);
  cpSync(join(dir, 'n1'), join(dir, 'n1-copy'), { recursive: true });
  keep('under-way', runOf(2, { record: { id: 'id-2' } }));
  keep('replay', runOf(3, { replay: 'zap.a@1' }));
  expect(idsOf(await among(4))).toEqual(['id-1', 'id-4']);
  expect((await readHistory(dir)).notes).toContain(
    'Not judged to their end: under-way. Their runs are under way, or were ended before; `assay judge` with such a folder shows what is broken so far.',
  );
  expect(await runAmong(dir, join(dir, 'n5'), runOf(5, { replay: 'zap.a@1' }), true)).toBe(
    undefined,
  );
});

describe('what is corrupt or alien is named and left out:', () => {
  test('records', async () => {
    keep('not-json', '{');
    keep('other', '{"schemaVersion":1}');
    keep('deep', '['.repeat(100_000));
    keep('huge', `[${'{},'.repeat(3_000_000)}{}]`);
    keep('many', `[${'{},'.repeat(300_000)}{}]`);
    mkdirSync(join(dir, 'empty'));
    symlinkSync('/dev/zero', join(dir, 'empty', 'run.json'));
    const { entries, notes } = await readHistory(dir);
    expect(entries).toEqual([]);
    expect(notes).toEqual([
      'Left out, as they are no evidence: deep (its run.json is no JSON that can be read), huge (its run.json: it has more than 8388608 bytes), many (its run.json is no JSON that can be read), not-json (its run.json is no JSON that can be read), other (its run.json is no summary of a run).',
    ]);
  });

  test('lines of the index', async () => {
    await among(1);
    await among(2);
    const [, first = ''] = readFileSync(join(dir, INDEX_FILE), 'utf8').split('\n');
    const rows = [
      '{"entry":',
      '[]',
      first.replace('"seed":', '"markup":"<script>","seed":'),
      first.replace('"conforms"', '"perfect"').replace('"does-not-conform"', '"perfect"'),
      first.replace(/"startedAt":"[^"]*"/, '"startedAt":"2026-99-99T00:00:00Z"'),
    ];
    appendFileSync(join(dir, INDEX_FILE), rows.map((row) => `${row}\n`).join(''));
    const { lines, notes } = readIndex(dir);
    expect([...lines.keys()]).toEqual(['id-1', 'id-2']);
    expect(notes).toEqual([
      `5 lines of ${INDEX_FILE} are no run of a history and were left out: 5, 6, 7, 8, 9.`,
    ]);
  });

  test('a torn last line does not take the next run along', async () => {
    await among(1);
    appendFileSync(join(dir, INDEX_FILE), '{"summary":{"by');
    await among(2);
    expect([...readIndex(dir).lines.keys()]).toEqual(['id-1', 'id-2']);
  });

  test('an index that is no file is left alone, and the run is whole', async () => {
    mkdirSync(join(dir, INDEX_FILE));
    const history = await among(1);
    expect(history?.notes.join()).toContain(`${INDEX_FILE} cannot be read: it is a folder`);
  });
});

test('an index that has grown too large is written again with the newest runs', async () => {
  await among(1);
  const [, line = ''] = readFileSync(join(dir, INDEX_FILE), 'utf8').split('\n');
  const more = Array.from({ length: 2 * MAX_ENTRIES }, (_, at) =>
    line
      .replace('"id-1"', `"x${at}"`)
      .replace(
        /"startedAt":"[^"]*"/,
        `"startedAt":"2025-01-01T00:00:00.${String(at).padStart(4, '0')}Z"`,
      ),
  );
  appendFileSync(join(dir, INDEX_FILE), `${more.join('\n')}\n`);
  await among(2);
  const { lines, notes } = readIndex(dir);
  expect(notes).toEqual([]);
  expect(lines.size).toBe(MAX_ENTRIES);
  expect(lines.has('id-1') && lines.has('id-2')).toBe(true);
  expect(lines.has('x0')).toBe(false);
});

test('the usual history is that of runs without a folder of their own', () => {
  const recordDir = '/work/reports/out/2026';
  expect(historyFolder({}, { recordDir, isNamed: false })).toBe('/work/reports/out');
  expect(historyFolder({}, { recordDir, isNamed: true })).toBe(undefined);
  expect(historyFolder({ history: dir }, { recordDir, isNamed: true })).toBe(dir);
  writeFileSync(join(dir, 'file'), '');
  for (const history of ['', join(dir, 'file')]) {
    expect(() => historyFolder({ history }, {})).toThrow('--history');
  }
  const gone = { history: join(dir, 'gone') };
  expect(historyFolder(gone, {})).toBe(gone.history);
  expect(() => historyFolder(gone, { mustBeThere: true })).toThrow('is not there');
});
