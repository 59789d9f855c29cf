import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeJudged } from '../record/record.ts';
import { unjudgedRun } from '../run/unjudged-run.ts';
import { CHECK, END } from './edited-record.testkit.ts';
import { judgeAgainTask, type JudgedAgainRun } from './judge.ts';
import { recordBegun, recordEnded, recordRun } from './recorded-run.testkit.ts';
import { refuseAltered } from './sound-record.ts';
import { readRun } from './read-run.ts';

let root = '';
let dir = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-torn-'));
  dir = join(root, 'record');
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

const again = (): Promise<JudgedAgainRun> =>
  judgeAgainTask(
    {
      ...{ dir, config: { contracts: [], allowRefs: [] }, waivers: [], leaveOut: [] },
      stopAtMs: Number.MAX_SAFE_INTEGER,
    },
    { inHand: new Int32Array(2) },
  );
const tear = (text: string): void => {
  appendFileSync(join(dir, 'exchanges.ndjson'), text);
};

test('a record that breaks off in the digest of its summary is completed', async () => {
  const run = await recordBegun(dir, CHECK);
  const sealed = await recordEnded(dir, CHECK);
  writeJudged(dir, unjudgedRun(run, END, sealed, 'end-of-process'));
  tear('{"judged":{"sha256":"0f');
  const { run: judged, completes } = await again();
  expect([completes, judged.counts.exchanges]).toEqual([true, 4]);
  expect(judged.notices.join()).toContain('The last line of the record breaks off');
  writeJudged(dir, judged);
  expect((await again()).completes).toBe(false);
});

test('one that breaks off in a later digest is as its run left it, and that is said', async () => {
  await recordRun(dir, CHECK);
  tear('{"jud');
  expect((await again()).run.notices.join()).toContain('The last line of the record breaks off');
});

test.each(['{"id":"x09999","api"', '{"end":{', 'x'])(
  'one that breaks off in anything else was altered: %s',
  async (text) => {
    await recordRun(dir, CHECK);
    tear(text);
    await expect(again()).rejects.toThrow('is cut off');
  },
);

test('a summary that the disk did not take is said to be the first one', async () => {
  await recordBegun(dir, CHECK);
  const first = readFileSync(join(dir, 'run.json'));
  rmSync(dir, { recursive: true });
  await recordRun(dir, CHECK);
  writeFileSync(join(dir, 'run.json'), first);
  expect((await again()).run.notices.join()).toContain(
    'run.json is what the run wrote as it began',
  );
  expect(await refuseAltered(dir, readRun(dir))).toBe(false);
});

test('a summary that its record cannot name is not written', async () => {
  const run = await recordBegun(dir, CHECK);
  const first = readFileSync(join(dir, 'run.json'), 'utf8');
  const writing = (): unknown =>
    writeJudged(dir, { ...run, seed: 2 }, () => {
      throw new Error('full');
    });
  expect(writing).toThrow('full');
  expect(readFileSync(join(dir, 'run.json'), 'utf8')).toBe(first);
});
