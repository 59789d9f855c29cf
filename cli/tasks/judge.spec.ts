/** Long because it is a table of what may be done to a record, each row with what is said of it. */

import {
  appendFileSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { exchangeOf } from '../../contracts/judging/exchange.testkit.ts';
import { EVERY_RULE } from '../../contracts/judging/rule-choice.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { RecordAltered, RecordCorrupt } from '../../target/record/record-error.ts';
import { createRecord, openRecorder } from '../../target/record/recorder.ts';
import { writeJudged } from '../record/record.ts';
import type { RunSetting } from '../run-setting.ts';
import { type JudgeAgainInput, judgeAgainTask, judgeTask, type JudgeInput } from './judge.ts';
import { recordBegun, recordRun } from './recorded-run.testkit.ts';

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
const NEVER = Number.MAX_SAFE_INTEGER;
const watched = { inHand: new Int32Array(2) };
const INPUT: Omit<JudgeInput, 'dir'> = {
  contractFiles: [],
  setting: SETTING,
  end: { cutShort: false, notices: [] },
  leaveOut: [],
  stopAtMs: NEVER,
};
/** The first three are as promised, the last two are not. */
const EXCHANGES = [{}, {}, {}, { data: 'none' }, { data: 'none' }].map((answer, at) =>
  exchangeOf({
    id: `x0000${at + 1}`,
    path: '/v1/config/providers',
    answered: { status: 'success', data: {}, ...answer },
  }),
);
const RULE = 'zap.providers.response-shape';

let dir = '';
beforeEach(() => {
  dir = join(mkdtempSync(join(tmpdir(), 'assay-judge-')), 'record');
});
afterEach(() => {
  rmSync(join(dir, '..'), { recursive: true });
});

function recordExchanges(exchanges: readonly Exchange[] = EXCHANGES): void {
  createRecord(dir);
  const recorder = openRecorder(dir, { recordId: SETTING.recordId });
  exchanges.forEach(recorder.record);
  recorder.close();
}

/** A record as a run leaves it. */
function record(): Promise<RunJson> {
  return recordRun(dir, { setting: SETTING, exchanges: EXCHANGES });
}

/** One as an earlier version left it. */
async function recordEarlier(): Promise<RunJson> {
  recordExchanges();
  const run = await judgeTask({ dir, ...INPUT }, watched);
  writeJudged(dir, run);
  return run;
}

async function again(changes: Partial<JudgeAgainInput> = {}): Promise<RunJson> {
  const config = { contracts: [], allowRefs: [] };
  const input = { dir, config, waivers: [], leaveOut: [], stopAtMs: NEVER };
  return (await judgeAgainTask({ ...input, ...changes }, watched)).run;
}

function editLines(edit: (lines: string[]) => string[]): void {
  const file = join(dir, 'exchanges.ndjson');
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  writeFileSync(
    file,
    edit(lines)
      .map((line) => `${line}\n`)
      .join(''),
  );
}

function editRun(edit: (run: Record<string, unknown> & RunJson) => object): void {
  const file = join(dir, 'run.json');
  const run = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown> & RunJson;
  writeFileSync(file, JSON.stringify(edit(run)));
}

function editRule(changes: object): void {
  editRun((run) => ({
    ...run,
    rules: run.rules.map((row) => (row.id === RULE ? { ...row, ...changes } : row)),
  }));
}

test('a record as its run left it gives the same again', async () => {
  const run = await record();
  expect(run.outcome).toBe('does-not-conform');
  expect(run.record).toMatchObject({ id: 'r1', exchanges: 5 });
  expect(await again()).toEqual(run);
});

describe('a record is no evidence once', () => {
  test.each<[string, () => void, RegExp]>([
    [
      'failing exchanges are gone',
      () => {
        editLines((all) => all.slice(0, 4));
      },
      /does not say how the run ended/,
    ],
    [
      'one of them is gone',
      () => {
        editLines((all) => all.toSpliced(3, 1));
      },
      /line 4 does not continue the chain/,
    ],
    [
      'one is altered',
      () => {
        editLines((all) => all.map((line) => line.replace('none', 'nona')));
      },
      /line 5/,
    ],
    [
      'two are swapped',
      () => {
        editLines(([a = '', b = '', ...rest]) => [b, a, ...rest]);
      },
      /line 1/,
    ],
    [
      'the end is torn',
      () => {
        truncateSync(join(dir, 'exchanges.ndjson'), 900);
      },
      /line|cut off|does not say how the run ended/,
    ],
    [
      'lines end in CRLF',
      () => {
        editLines((all) => all.map((line) => `${line}\r`));
      },
      /line 1/,
    ],
    [
      'a verdict is edited',
      () => {
        editRule({ verdict: 'pass', findings: [] });
      },
      new RegExp(`otherwise of ${RULE} \\(pass, and fail`),
    ],
    [
      'evidence is edited',
      () => {
        editRule({ evidence: 500 });
      },
      new RegExp(RULE),
    ],
    [
      'a finding is edited',
      () => {
        editRun((run) => ({
          ...run,
          rules: run.rules.map((row) => ({
            ...row,
            findings: row.findings.map((one) => ({ ...one, actual: 'x' })),
          })),
        }));
      },
      new RegExp(RULE),
    ],
    [
      'a rule is left out',
      () => {
        editRun((run) => ({ ...run, rules: run.rules.filter(({ id }) => id !== RULE) }));
      },
      new RegExp(RULE),
    ],
    [
      'counts are edited',
      () => {
        editRun((run) => ({ ...run, counts: { ...run.counts, answered: 4 } }));
      },
      /counts other exchanges/,
    ],
    [
      'the outcome is edited',
      () => {
        editRun((run) => ({ ...run, outcome: 'undecided' }));
      },
      /says that the service is undecided, and by the exchanges it does not conform/,
    ],
    [
      'the ledger is edited',
      () => {
        editRun((run) => ({ ...run, ledger: [] }));
      },
      /other limits or unspecified clauses/,
    ],
    [
      'its id is that of another run',
      () => {
        editRun((run) => ({ ...run, record: { ...run.record, id: 'r2' } }));
      },
      /those of another run/,
    ],
    [
      'its head is edited',
      () => {
        editRun((run) => ({ ...run, record: { ...run.record, head: 'ab'.repeat(32) } }));
      },
      /does not end as its run left it/,
    ],
    [
      'measured limits are planted',
      () => {
        writeFileSync(join(dir, 'limits.json'), '{"schemaVersion":1,"limits":[]}');
      },
      /limits.json is no part of the record/,
    ],
    [
      'counterexamples are planted',
      () => {
        writeFileSync(join(dir, 'counterexamples.ndjson'), '');
      },
      /counterexamples.ndjson is no part/,
    ],
  ])('%s', async (_what, alter, message) => {
    await record();
    alter();
    const judging = again();
    await expect(judging).rejects.toThrow(RecordAltered);
    await expect(judging).rejects.toThrow(message);
  });

  test.each<[string, () => void, RegExp]>([
    [
      'run.json is no JSON',
      () => {
        writeFileSync(join(dir, 'run.json'), '{');
      },
      /run.json, line 1: this is not JSON/,
    ],
    [
      'run.json is something else',
      () => {
        writeFileSync(join(dir, 'run.json'), '{"schemaVersion":1}');
      },
      /no summary of a run: it must have required property/,
    ],
    [
      'run.json nests without end',
      () => {
        writeFileSync(join(dir, 'run.json'), '['.repeat(1_000_000));
      },
      /this is not JSON/,
    ],
    [
      'limits.json is something else',
      () => {
        writeFileSync(join(dir, 'limits.json'), '[1]');
      },
      /limits.json/,
    ],
    [
      'limits.json holds no limits',
      () => {
        writeFileSync(join(dir, 'limits.json'), '{"schemaVersion":1,"limits":[1]}');
      },
      /limits.json/,
    ],
  ])('%s', async (_what, alter, message) => {
    await record();
    alter();
    const judging = again();
    await expect(judging).rejects.toThrow(RecordCorrupt);
    await expect(judging).rejects.toThrow(message);
  });
});

test('an exchange of an API that its run was given no URL of is none', async () => {
  recordExchanges([...EXCHANGES, exchangeOf({ id: 'x00009', api: 'trade' })]);
  const judging = judgeTask({ dir, ...INPUT }, watched);
  await expect(judging).rejects.toThrow(RecordCorrupt);
  await expect(judging).rejects.toThrow('line 6: this is no exchange: its api is none of the APIs');
});

describe('verdicts that differ for another reason are reported, and are no alteration', () => {
  test('other code', async () => {
    await recordEarlier();
    editRun((run) => ({ ...run, tool: { ...run.tool, sha256: '00'.repeat(32) } }));
    editRule({ verdict: 'pass', findings: [] });
    const { notices, outcome } = await again();
    expect(outcome).toBe('does-not-conform');
    expect(notices).toContain(`Judged otherwise than in its run: ${RULE} (pass, now fail).`);
  });

  test('waivers of its run', async () => {
    const waiver = { rule: RULE, reason: 'known', owner: 'me', expires: '2026-12-31' };
    recordExchanges();
    const setting = { ...SETTING, waivers: [waiver] };
    const run = await judgeTask({ dir, ...INPUT, setting }, watched);
    writeJudged(dir, run);
    expect(run.outcome).toBe('conforms');
    expect((await again({ waivers: [waiver] })).outcome).toBe('conforms');
    const without = await again();
    expect(without.outcome).toBe('does-not-conform');
    expect(without.notices.join()).toContain(`Waived in its run, and not now`);
  });
});

test('a waiver that names no rule is wrong use', async () => {
  await record();
  const waiver = { rule: `${RULE}s`, reason: 'known', owner: 'me', expires: '2026-12-31' };
  await expect(again({ waivers: [waiver] })).rejects.toThrow(`Did you mean ${RULE}`);
});

describe('a run that was killed', () => {
  test('leaves a record that is judged as far as it goes, which is reported', async () => {
    await recordBegun(dir, { setting: SETTING, exchanges: EXCHANGES.slice(0, 4) });
    appendFileSync(join(dir, 'exchanges.ndjson'), '{"id":"x00005","api"');
    const run = await again();
    expect(run).toMatchObject({ outcome: 'does-not-conform', complete: false });
    expect(run.counts.exchanges).toBe(4);
    expect(run.notices.join()).toMatch(
      /torn and was left out.*the 4 that are there are a whole chain/,
    );
  });

  test('is no evidence if a line of it was altered', async () => {
    await recordBegun(dir, { setting: SETTING, exchanges: EXCHANGES.slice(0, 4) });
    editLines((lines) => lines.toSpliced(1, 1));
    await expect(again()).rejects.toThrow(RecordAltered);
  });
});

test('out of time the judge says how far it came, and decides no more than it saw', async () => {
  await record();
  const run = await again({ stopAtMs: 0 });
  expect(run).toMatchObject({ outcome: 'undecided', complete: false });
  expect(run.notices.join()).toContain('its first 0 exchanges were');
});

test('what an earlier judge did not end with is left out, and is no pass', async () => {
  const { rules } = await record();
  const rule = rules.findIndex(({ id }) => id === RULE) + 1;
  const run = await again({ leaveOut: [4, 5].map((exchange) => ({ exchange, rule })) });
  expect(run.rules[rule - 1]).toMatchObject({
    verdict: 'inconclusive',
    reason: `judging x00004 by ${RULE} failed: it did not come to an end`,
  });
  expect(run).toMatchObject({ outcome: 'undecided', failure: expect.any(String) as string });
});
