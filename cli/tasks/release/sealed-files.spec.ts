import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { exchangeOf } from '../../../contracts/judging/exchange.testkit.ts';
import { EVERY_RULE } from '../../../contracts/judging/rule-choice.ts';
import type { RunJson } from '../../../contracts/run/run.ts';
import { createRecord, openRecorder } from '../../../target/record/recorder.ts';
import { writeLimits } from '../../record/limits-record.ts';
import { OWN_FILES } from '../../record/record-files.ts';
import {
  DERIVED_FILES,
  EVIDENCE_FILES,
  PLOT_FILES,
  SEALED_FILES,
} from '../../record/record-names.ts';
import { writeJudged } from '../../record/record.ts';
import type { RunSetting } from '../../run-setting.ts';
import { judgeAgainTask, judgeTask } from '../judge.ts';

const SETTING: RunSetting = {
  recordId: 'r1',
  startedAt: new Date('2026-01-02T03:04:05Z'),
  seed: 1,
  profile: 'gate',
  target: { kind: 'remote', urls: { zap: 'http://127.0.0.1' }, credentials: [] },
  waivers: [],
  choice: EVERY_RULE,
  labels: {},
};
const stopAtMs = Number.MAX_SAFE_INTEGER;
const watched = { inHand: new Int32Array(2) };
const PLOT = '<svg xmlns="http://www.w3.org/2000/svg"><text>5 admitted</text></svg>\n';

let dir = '';
beforeEach(() => {
  dir = join(mkdtempSync(join(tmpdir(), 'assay-sealed-')), 'record');
});
afterEach(() => {
  rmSync(join(dir, '..'), { recursive: true });
});

/** A record of limits as a run leaves it, with a plot. */
async function record(): Promise<RunJson> {
  createRecord(dir);
  const recorder = openRecorder(dir, { recordId: SETTING.recordId });
  recorder.record(exchangeOf({ path: '/v1/config/providers' }));
  recorder.close();
  writeLimits(dir, [], []);
  writeFileSync(join(dir, 'limits.svg'), PLOT);
  const end = { cutShort: false, notices: [] };
  const run = await judgeTask(
    { dir, contractFiles: [], setting: SETTING, end, leaveOut: [], stopAtMs },
    watched,
  );
  return writeJudged(dir, run);
}

async function again(): Promise<RunJson> {
  const config = { contracts: [], allowRefs: [] };
  return (await judgeAgainTask({ dir, config, waivers: [], leaveOut: [], stopAtMs }, watched)).run;
}

test('the plot of limits is sealed, and found out when it was altered', async () => {
  const run = await record();
  expect(Object.keys(run.record.files ?? {})).toEqual(['limits.json', 'limits.svg']);
  await expect(again()).resolves.toMatchObject({ record: run.record });
  writeFileSync(join(dir, 'limits.svg'), PLOT.replace('5', '6'));
  await expect(again()).rejects.toThrow('limits.svg is not as its run left it');
  rmSync(join(dir, 'limits.svg'));
  await expect(again()).rejects.toThrow('limits.svg is missing');
});

test('a plot that was put beside a run is no part of it, unless other code wrote the record', async () => {
  const run = await record();
  writeFileSync(join(dir, 'load.svg'), PLOT);
  await expect(again()).rejects.toThrow('load.svg is no part of the record');
  const older = { ...run, tool: { ...run.tool, sha256: '0'.repeat(64) } };
  writeFileSync(join(dir, 'run.json'), JSON.stringify(older));
  await expect(again()).resolves.toMatchObject({ record: { id: 'r1' } });
  writeFileSync(join(dir, 'limits.svg'), PLOT.replace('5', '6'));
  await expect(again()).rejects.toThrow('limits.svg is not as its run left it');
});

test('each file of a record is evidence or is made from it, and whatever is evidence is certified', () => {
  const all = [...EVIDENCE_FILES, ...DERIVED_FILES];
  expect(new Set(all).size).toBe(all.length);
  expect(PLOT_FILES.every((name) => SEALED_FILES.includes(name))).toBe(true);
  expect(EVIDENCE_FILES.every((name) => OWN_FILES.includes(name))).toBe(true);
});

test('a run leaves no file that is neither', async () => {
  const run = await record();
  const known = [...EVIDENCE_FILES, ...DERIVED_FILES];
  expect(readdirSync(dir).filter((name) => !known.includes(name))).toEqual([]);
  expect(readFileSync(join(dir, 'run.json'), 'utf8')).toContain(run.record.files?.['limits.svg']);
});
