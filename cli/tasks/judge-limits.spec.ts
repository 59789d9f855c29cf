import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { exchangeOf } from '../../contracts/judging/exchange.testkit.ts';
import { EVERY_RULE } from '../../contracts/judging/rule-choice.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import { RecordCorrupt } from '../../target/record/record-error.ts';
import { createRecord, openRecorder } from '../../target/record/recorder.ts';
import { LIMITS_FILE, writeLimits } from '../record/limits-record.ts';
import { writeJudged } from '../record/record.ts';
import { judgeAgainTask, judgeTask } from './judge.ts';

const NEVER = Number.MAX_SAFE_INTEGER;
const watched = { inHand: new Int32Array(2) };
const RULE = 'zap.throttled.typed-body';

let dir = '';
beforeEach(() => {
  dir = join(mkdtempSync(join(tmpdir(), 'assay-judge-limits-')), 'record');
  createRecord(dir);
  const recorder = openRecorder(dir, { recordId: 'r1' });
  recorder.record(exchangeOf({ id: 'x00001', path: '/v1/config/chains', status: 503 }));
  recorder.close();
});
afterEach(() => {
  rmSync(join(dir, '..'), { recursive: true });
});

function judged(): Promise<RunJson> {
  return judgeTask(
    {
      dir,
      contractFiles: [],
      setting: {
        recordId: 'r1',
        startedAt: new Date('2026-01-02T03:04:05Z'),
        seed: 1,
        profile: 'gate',
        target: { kind: 'remote', urls: { zap: 'http://127.0.0.1' }, credentials: [] },
        waivers: [],
        choice: EVERY_RULE,
        labels: {},
      },
      end: { cutShort: false, notices: [] },
      leaveOut: [],
      stopAtMs: NEVER,
    },
    watched,
  );
}

const verdictIn = ({ rules }: RunJson): string | undefined =>
  rules.find(({ id }) => id === RULE)?.verdict;

test('a status that was said to be a rejection is judged as one, and again alike', async () => {
  writeLimits(dir, [], [403, 503]);
  const run = await judged();
  expect(verdictIn(run)).toBe('fail');
  expect(run.counts.throttled).toBe(1);
  writeJudged(dir, run);
  const config = { contracts: [], allowRefs: [] };
  const again = { dir, config, waivers: [], leaveOut: [], stopAtMs: NEVER };
  const { run: now } = await judgeAgainTask(again, watched);
  expect({ ...now, notices: run.notices }).toEqual(run);
});

test('any other status says nothing of a limit', async () => {
  writeLimits(dir, [], [403]);
  expect(verdictIn(await judged())).toBe('not-reached');
  writeLimits(dir, [], []);
  expect(verdictIn(await judged())).toBe('not-reached');
});

test.each([['503'], [[200]], [[503.5]], [['503']], [Array.from({ length: 201 }, () => 503)]])(
  'a record that says %j is none',
  async (throttleStatuses) => {
    const text = JSON.stringify({ schemaVersion: 1, throttleStatuses, limits: [] });
    writeFileSync(join(dir, LIMITS_FILE), text);
    await expect(judged()).rejects.toThrow(RecordCorrupt);
  },
);
