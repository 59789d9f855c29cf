import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { exchangeOf } from '../../contracts/judging/exchange.testkit.ts';
import { EVERY_RULE } from '../../contracts/judging/rule-choice.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import { isCounted } from '../../contracts/run/unjudged.ts';
import { targetLines } from '../../reports/terminal/terminal-target.ts';
import { createRecord, openRecorder } from '../../target/record/recorder.ts';
import { writeLimits } from '../record/limits-record.ts';
import { writeLoad } from '../record/load-record.ts';
import { writeJudged } from '../record/record.ts';
import type { RunSetting } from '../run-setting.ts';
import { unjudgedRun } from '../run/unjudged-run.ts';
import { CHECK, END } from './edited-record.testkit.ts';
import { judgeAgainTask, type JudgedAgainRun } from './judge.ts';
import { prepareTask } from './prepare.ts';
import { readRun } from './read-run.ts';
import { recordBegun, recordEnded, recordRun } from './recorded-run.testkit.ts';
import { refuseAltered } from './sound-record.ts';

const STARTED_MS = Date.UTC(2026, 0, 2, 3, 4, 5);
const LATENCY_MS = 250;
const SETTING: RunSetting = {
  recordId: 'r1',
  startedAt: new Date(STARTED_MS),
  seed: 1,
  profile: 'gate',
  target: { kind: 'remote', urls: { zap: 'http://127.0.0.1' }, credentials: [] },
  waivers: [],
  choice: EVERY_RULE,
  labels: {},
};
const config = { contracts: [], allowRefs: [] };

let dir = '';
beforeEach(() => {
  dir = join(mkdtempSync(join(tmpdir(), 'assay-judge-killed-')), 'record');
});
afterEach(() => {
  rmSync(join(dir, '..'), { recursive: true });
});

/** What a run leaves that is killed after an exchange. */
async function recordKilled(sentAtMs: number): Promise<void> {
  createRecord(dir);
  const recorder = openRecorder(dir, { recordId: SETTING.recordId });
  recorder.record({ ...exchangeOf({ id: 'x00001' }), sentAtMs, latencyMs: LATENCY_MS });
  recorder.close();
  writeJudged(dir, (await prepareTask({ config, setting: SETTING })).run);
}

function judgedAgain(): Promise<JudgedAgainRun> {
  const input = { dir, config, waivers: [], leaveOut: [], stopAtMs: Number.MAX_SAFE_INTEGER };
  return judgeAgainTask(input, { inHand: new Int32Array(2) });
}

async function again(): Promise<RunJson> {
  return (await judgedAgain()).run;
}

test.each([
  [STARTED_MS + 1_000, 1_000 + LATENCY_MS],
  [STARTED_MS - 60_000, 0],
  // What no clock gives is not taken for a time.
  [1e300, 0],
])('a killed run ended with its last exchange: sent at %d', async (sentAtMs, tookMs) => {
  await recordKilled(sentAtMs);
  const { startedAt, endedAt } = await again();
  expect(Date.parse(endedAt) - Date.parse(startedAt)).toBe(tookMs);
});

test.each([
  [
    'limits',
    () => {
      writeLimits(dir, [], []);
    },
  ],
  [
    'load',
    () => {
      writeLoad(dir, {});
    },
  ],
])('a killed run was one of %s, which is said where nothing else does', async (command, begin) => {
  await recordKilled(STARTED_MS);
  expect((await again()).notices.join()).not.toContain('This was a run of');
  begin();
  expect((await again()).notices.join()).toContain(`This was a run of \`assay ${command}\``);
});

describe('a record that its own run could not end in time', () => {
  test('is judged, as that of a killed run is, and no count of it is stated before', async () => {
    const begun = await recordBegun(dir, CHECK);
    const run = writeJudged(dir, unjudgedRun(begun, END, undefined, 'time'));
    expect(run.endedAt).toBe(run.startedAt);
    expect(isCounted(run)).toBe(false);
    expect(targetLines(run, 80, (_hue, text) => text).join()).not.toMatch(/exchange|\d ms/);
    const { run: judged, completes } = await judgedAgain();
    expect([completes, judged.counts.exchanges, judged.complete]).toEqual([false, 4, false]);
    expect(isCounted(judged)).toBe(true);
    await refuseAltered(dir, readRun(dir));
  });

  test.each<[string, Partial<RunJson>]>([
    ['complete', { complete: true }],
    ['conforming', { outcome: 'conforms' }],
    ['ended', { endedAt: '2026-01-02T03:05:05.000Z' }],
  ])('is no evidence once its summary is made %s', async (_what, change) => {
    const begun = await recordBegun(dir, CHECK);
    writeJudged(dir, { ...unjudgedRun(begun, END, undefined, 'time'), ...change });
    await expect(judgedAgain()).rejects.toThrow('says that it did');
  });
});

describe('a record of a run that could write no more', () => {
  const tear = (text: string): void => {
    appendFileSync(join(dir, 'exchanges.ndjson'), text);
  };

  test('a record that breaks off in the digest of its summary is completed', async () => {
    const run = await recordBegun(dir, CHECK);
    const sealed = await recordEnded(dir, CHECK);
    writeJudged(dir, unjudgedRun(run, END, sealed, 'end-of-process'));
    tear('{"judged":{"sha256":"0f');
    const { run: judged, completes } = await judgedAgain();
    expect([completes, judged.counts.exchanges]).toEqual([true, 4]);
    expect(judged.notices.join()).toContain('The last line of the record breaks off');
    writeJudged(dir, judged);
    expect((await judgedAgain()).completes).toBe(false);
  });

  test('one that breaks off in a later digest is as its run left it, and that is said', async () => {
    await recordRun(dir, CHECK);
    tear('{"jud');
    expect((await judgedAgain()).run.notices.join()).toContain(
      'The last line of the record breaks off',
    );
  });

  test.each(['{"id":"x09999","api"', '{"end":{', 'x'])(
    'one that breaks off in anything else was altered: %s',
    async (text) => {
      await recordRun(dir, CHECK);
      tear(text);
      await expect(judgedAgain()).rejects.toThrow('is cut off');
    },
  );

  test('a summary that the disk did not take is said to be the first one', async () => {
    await recordBegun(dir, CHECK);
    const first = readFileSync(join(dir, 'run.json'));
    rmSync(dir, { recursive: true });
    await recordRun(dir, CHECK);
    writeFileSync(join(dir, 'run.json'), first);
    expect((await judgedAgain()).run.notices.join()).toContain(
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
});
