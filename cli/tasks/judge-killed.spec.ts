import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { exchangeOf } from '../../contracts/judging/exchange.testkit.ts';
import { EVERY_RULE } from '../../contracts/judging/rule-choice.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import { createRecord, openRecorder } from '../../fixtures/target/record/recorder.ts';
import { writeLimits } from '../record/limits-record.ts';
import { writeLoad } from '../record/load-record.ts';
import { writeJudged } from '../record/record.ts';
import type { RunSetting } from '../run-setting.ts';
import { judgeAgainTask } from './judge.ts';
import { prepareTask } from './prepare.ts';

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

async function again(): Promise<RunJson> {
  const input = { dir, config, waivers: [], leaveOut: [], stopAtMs: Number.MAX_SAFE_INTEGER };
  return (await judgeAgainTask(input, { inHand: new Int32Array(2) })).run;
}

test.each([
  [STARTED_MS + 1_000, 1_000 + LATENCY_MS],
  [STARTED_MS - 60_000, 0],
  // What no clock tells is not taken for a time.
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
