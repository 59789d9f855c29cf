/** Long because what a run may leave unjudged, and what may be done to it then, is tried on one record. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { unfitness } from '../../contracts/release/release-runs.ts';
import { exchangeOf } from '../../contracts/judging/exchange.testkit.ts';
import { EVERY_RULE } from '../../contracts/judging/rule-choice.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import { RecordAltered } from '../../target/record/record-error.ts';
import { renderTerminal } from '../../reports/terminal/terminal.ts';
import { writeJudged } from '../record/record.ts';
import type { RunEnd, RunSetting } from '../run-setting.ts';
import { unjudgedRun } from '../run/unjudged-run.ts';
import { judgeAgainTask, type JudgedAgainRun, judgeTask } from './judge.ts';
import { summaryFault } from './read-run.ts';
import { type RecordedRun, recordBegun, recordEnded } from './recorded-run.testkit.ts';

const RULE = 'zap.providers.response-shape';
const WAIVER = { rule: RULE, reason: 'known', owner: 'me', expires: '2026-12-31' };
const SETTING: RunSetting = {
  kind: 'check',
  recordId: 'r1',
  startedAt: new Date('2026-01-02T03:04:05Z'),
  seed: 1,
  profile: 'gate',
  target: { kind: 'remote', urls: { zap: 'http://127.0.0.1' }, credentials: [] },
  waivers: [],
  choice: EVERY_RULE,
  labels: {},
};
const END: RunEnd = {
  cutShort: false,
  notices: ['Something was left out.'],
  regressions: [],
};
const NEVER = Number.MAX_SAFE_INTEGER;
const watched = { inHand: new Int32Array(2) };
const config = { contracts: [], allowRefs: [] };

let dir = '';
beforeEach(() => {
  dir = join(mkdtempSync(join(tmpdir(), 'assay-unjudged-')), 'record');
});
afterEach(() => {
  rmSync(join(dir, '..'), { recursive: true });
});

function recorded(isBroken: boolean, setting: RunSetting, end: RunEnd): RecordedRun {
  const answered = { status: 'success', data: isBroken ? 'none' : {} };
  const exchanges = ['x00001', 'x00002', 'x00003'].map((id) =>
    exchangeOf({ id, path: '/v1/config/providers', answered }),
  );
  return { setting, end, exchanges };
}

/** A record as a run leaves it that had no time to judge it. */
async function unjudged(
  isBroken = false,
  setting = SETTING,
  end = END,
  by: Parameters<typeof unjudgedRun>[3] = 'time',
  sealedEnd = end,
): Promise<RunJson> {
  const input = recorded(isBroken, setting, sealedEnd);
  const run = await recordBegun(dir, input);
  return writeJudged(dir, unjudgedRun(run, end, await recordEnded(dir, input), by));
}

/** What a run with time would have left. */
async function judged(setting = SETTING, end = END): Promise<RunJson> {
  const input = { dir, contractFiles: [], setting, end, leaveOut: [], stopAtMs: NEVER };
  return judgeTask(input, watched);
}

function again(
  changes: Partial<Parameters<typeof judgeAgainTask>[0]> = {},
): Promise<JudgedAgainRun> {
  const input = { dir, config, waivers: [], leaveOut: [], stopAtMs: NEVER };
  return judgeAgainTask({ ...input, ...changes }, watched);
}

function edit(file: string, change: (text: string) => string): void {
  writeFileSync(join(dir, file), change(readFileSync(join(dir, file), 'utf8')));
}

describe('a run that had no time to judge its record', () => {
  test('says what it recorded, and nothing of what the target did', async () => {
    const run = await unjudged();
    expect(summaryFault(run)).toBeUndefined();
    expect(run).toMatchObject({
      outcome: 'undecided',
      complete: false,
      counts: { requests: 3, exchanges: 3, answered: 3, throttled: 0, failed: 0 },
      record: { id: 'r1', exchanges: 3 },
      unjudged: { by: 'time', judged: 0, cutShort: false },
    });
    const reasons = run.rules.filter(({ api }) => api === 'zap').map(({ reason }) => reason);
    expect([...new Set(reasons)]).toEqual(['the record of the run was not judged']);
    expect(run.rules.every(({ needs }) => needs === undefined || needs.endsWith('-url'))).toBe(
      true,
    );
    expect(run.notices).toEqual([
      'The time of the run ended before its record was judged. Of its 3 exchanges none was judged. `assay judge` with its folder judges all that it holds.',
      'Something was left out.',
    ]);
    expect(unfitness(run)).toContain('`assay judge` with this folder judges all that it holds');
  });

  test('says to a person what completes it', async () => {
    const run = await unjudged();
    const text = renderTerminal(run, { color: false, width: 100, record: 'the record' });
    expect(text).toContain('? undecided: 0 of 3 exchanges judged\n');
    expect(text).toMatch(
      /\nThe record is not judged: `assay judge 'the record'` judges all that it holds\.\n$/,
    );
  });

  test('does not promise that what went wrong goes well the next time', async () => {
    const { notices } = await unjudged(false, SETTING, END, 'memory');
    expect(notices[0]).toBe(
      'Judging the record took more memory than it may. Of its 3 exchanges none was judged. `assay judge` with its folder tries again.',
    );
  });

  test.each([true, false])('is completed by what it would have said: broken %s', async (broken) => {
    await unjudged(broken);
    const { run, completes } = await again();
    const expected = await judged();
    expect(completes).toBe(true);
    expect(run.notices.at(-1)).toContain('`assay judge` did that afterwards');
    const { notices, endedAt, ...rest } = expected;
    expect(run).toMatchObject(rest);
    expect(run.notices.slice(0, -1)).toEqual(notices);
    expect(Object.keys(run).sort()).toEqual(Object.keys(expected).sort());
    expect(Date.parse(run.endedAt)).toBeLessThanOrEqual(Date.parse(endedAt));
    expect(run.outcome).toBe(broken ? 'does-not-conform' : 'conforms');

    writeJudged(dir, run);
    expect(unfitness(run)).toBeUndefined();
    expect(await again()).toEqual({ run, completes: false });
  });

  test('stays cut short where it was, and failed if Assay did', async () => {
    const end = { cutShort: true, notices: [], failure: 'the drive threw' };
    await unjudged(false, SETTING, end);
    const { run, completes } = await again();
    expect(completes).toBe(true);
    expect(run).toMatchObject({
      complete: false,
      outcome: 'undecided',
      failure: 'the drive threw',
    });
    expect(run.notices.filter((notice) => notice.includes('the drive threw'))).toHaveLength(1);
  });

  test('has not failed once somebody could judge it', async () => {
    const failed = { ...END, failure: 'the judge threw' };
    await unjudged(false, SETTING, failed, 'failure', END);
    const { run } = await again();
    expect(run).toMatchObject({ complete: true, outcome: 'conforms' });
    expect(run.failure).toBeUndefined();
    expect(run.notices.join()).not.toContain('the judge threw');
  });

  test('is completed with its own waivers, whatever is asked for', async () => {
    await unjudged(true, { ...SETTING, waivers: [WAIVER] });
    const { run } = await again();
    expect(run).toMatchObject({ outcome: 'conforms', waivers: [WAIVER] });
    rmSync(dir, { recursive: true });
    await unjudged(true);
    expect((await again({ waivers: [WAIVER] })).run.outcome).toBe('does-not-conform');
  });

  test('is not completed by half', async () => {
    await unjudged();
    const { run, completes } = await again({ stopAtMs: 0 });
    expect(completes).toBe(false);
    expect(run).toMatchObject({ complete: false, outcome: 'undecided' });
  });

  test('is not completed by another contract', async () => {
    const run = await unjudged();
    writeJudged(dir, { ...run, contract: { sha256: '00'.repeat(32) } });
    await expect(again()).rejects.toThrow(
      /says otherwise of the settings of its run than its record: contract/,
    );
  });

  test('is not completed if Assay fails again', async () => {
    await unjudged();
    const { run, completes } = await again({ leaveOut: [{ exchange: 1, rule: 0 }] });
    expect(completes).toBe(false);
    expect(run.notices.join()).toContain(
      'The record stays as its run left it: Assay itself failed',
    );
  });
});

describe('what a run left unjudged is no evidence once', () => {
  test.each<[string, () => void, RegExp]>([
    [
      'its last line is gone',
      () => {
        edit('exchanges.ndjson', (text) => text.replace(/[^\n]*\n$/, ''));
      },
      /does not say how the run ended/,
    ],
    [
      'an exchange is altered',
      () => {
        edit('exchanges.ndjson', (text) => text.replace('success', 'sucsess'));
      },
      /line 2 does not continue the chain/,
    ],
    [
      'its head is another',
      () => {
        edit('run.json', (text) => text.replace(/"head": "[0-9a-f]{8}/, '"head": "00000000'));
      },
      /does not end as its run left it/,
    ],
    [
      'counterexamples are planted',
      () => {
        writeFileSync(join(dir, 'counterexamples.ndjson'), '');
      },
      /counterexamples.ndjson is no part/,
    ],
    [
      'it says that it was judged',
      () => {
        edit('run.json', (text) => text.replace(/ {2}"unjudged": \{[^}]*\},?\n/, ''));
      },
      /says that the run is incomplete/,
    ],
  ])('%s', async (_what, alter, message) => {
    await unjudged();
    alter();
    const judging = again();
    await expect(judging).rejects.toThrow(RecordAltered);
    await expect(judging).rejects.toThrow(message);
  });
});

test('a run that judged a part of its record says which, and is completed all the same', async () => {
  await recordBegun(dir, recorded(false, SETTING, END));
  const sealed = await recordEnded(dir, recorded(false, SETTING, END));
  const input = { dir, contractFiles: [], setting: SETTING, end: END, leaveOut: [] };
  const run = await judgeTask({ ...input, sealed, stopAtMs: 0 }, watched);
  expect(summaryFault(run)).toBeUndefined();
  expect(run).toMatchObject({
    outcome: 'undecided',
    complete: false,
    counts: { exchanges: 3 },
    record: { exchanges: 3 },
    unjudged: { by: 'time', judged: 0, cutShort: false },
  });
  expect(run.rules.find(({ id }) => id === RULE)?.reason).toBe(
    'only the first 0 of 3 exchanges were judged',
  );
  expect(run.notices.join()).not.toMatch(/answered no request|no response/);
  writeJudged(dir, run);
  const { run: whole, completes } = await again();
  expect(completes).toBe(true);
  expect(whole).toMatchObject({ complete: true, outcome: 'conforms', counts: { exchanges: 3 } });
  expect(whole.notices).toHaveLength(2);
});
