import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { exchangeOf } from '../../../contracts/judging/exchange.testkit.ts';
import { EXAMPLE_LOAD } from '../../../contracts/run/load/load-run.testkit.ts';
import { EVERY_RULE } from '../../../contracts/judging/rule-choice.ts';
import type { RunJson } from '../../../contracts/run/run.ts';
import { LOAD_FILE, writeLoad } from '../../record/load-record.ts';
import { judgeAgainTask } from '../judge.ts';
import { recordRun } from '../recorded-run.testkit.ts';

const watched = { inHand: new Int32Array(2) };
const common = { leaveOut: [], stopAtMs: Number.MAX_SAFE_INTEGER };

let dir = '';
beforeEach(() => {
  dir = join(mkdtempSync(join(tmpdir(), 'assay-judge-load-')), 'record');
});
afterEach(() => {
  rmSync(join(dir, '..'), { recursive: true });
});

/** The record of a load run that kept one exchange, as the run leaves it. */
async function record(): Promise<RunJson> {
  const answered = { status: 'success', data: {} };
  return recordRun(dir, {
    kind: 'load',
    setting: {
      recordId: 'r1',
      startedAt: new Date('2026-01-02T03:04:05Z'),
      ...{ seed: 1, profile: 'gate', waivers: [], choice: EVERY_RULE, labels: {} },
      target: { kind: 'remote', urls: { zap: 'http://127.0.0.1' }, credentials: [] },
    },
    exchanges: [exchangeOf({ id: 'x00001', path: '/v1/config/providers', answered })],
    beside: () => {
      writeLoad(dir, { load: EXAMPLE_LOAD });
    },
  });
}

async function again(): Promise<RunJson> {
  const config = { contracts: [], allowRefs: [] };
  return (await judgeAgainTask({ dir, config, waivers: [], ...common }, watched)).run;
}

function edit(file: string, change: (text: string) => string): void {
  writeFileSync(join(dir, file), change(readFileSync(join(dir, file), 'utf8')));
}

test('what load came to stands in run.json, and judging again gives the same', async () => {
  const run = await record();
  expect(run.load).toEqual(EXAMPLE_LOAD);
  expect(run.record.files).toHaveProperty([LOAD_FILE]);
  expect(await again()).toEqual(run);
});

test('a figure that was edited is found in either file', async () => {
  await record();
  edit('run.json', (text) => text.replace('"dropped": 0', '"dropped": 7'));
  await expect(again()).rejects.toThrow(/run\.json states another load than there was/);
  edit('run.json', (text) => text.replace('"dropped": 7', '"dropped": 0'));
  edit(LOAD_FILE, (text) => text.replace('"dropped":0', '"dropped":7'));
  await expect(again()).rejects.toThrow(/load\.json is not as its run left it/);
});

test('load that is planted in another record is found', async () => {
  await record();
  rmSync(join(dir, LOAD_FILE));
  await expect(again()).rejects.toThrow(/load\.json is missing/);
});
