import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ContractFiles } from '../../contracts/document/contract-files.ts';
import { exchangeOf } from '../../contracts/judging/exchange.testkit.ts';
import { fetchContractFiles } from '../../contracts/document/fetch-contract.ts';
import { EVERY_RULE } from '../../contracts/judging/rule-choice.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import { RecordAltered } from '../../target/record/record-error.ts';
import { UsageError } from '../exit-code.ts';
import { writeJudged } from '../record/record.ts';
import type { RunSetting } from '../run-setting.ts';
import { keepContracts } from '../record/contracts-record.ts';
import { prepareTask } from './prepare.ts';
import { recordRun } from './recorded-run.testkit.ts';
import { type ReadReport, readReportTask } from './read-report.ts';

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
const watched = { inHand: new Int32Array(2) };
const stopAtMs = Number.MAX_SAFE_INTEGER;
/** The last three show the same finding. */
const EXCHANGES = [{}, {}, { data: 'none' }, { data: 'none' }, { data: 'none' }].map((answer, at) =>
  exchangeOf({
    id: `x0000${at + 1}`,
    path: '/v1/config/providers',
    answered: { status: 'success', data: {}, ...answer },
  }),
);
const RULE = 'zap.providers.response-shape';

let root = '';
/** As a run left it; copied, since making one takes a while. */
let ended: RunJson;
let dir = '';
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'assay-report-'));
  ended = await record(join(root, 'ended'));
});
beforeEach(() => {
  dir = join(root, 'record');
  cpSync(join(root, 'ended'), dir, { recursive: true });
});
afterEach(() => {
  rmSync(dir, { recursive: true });
});
afterAll(() => {
  rmSync(root, { recursive: true });
});

/** A record as a run leaves it. */
async function record(folder: string, contractFiles: ContractFiles = []): Promise<RunJson> {
  const beside = (): void => {
    keepContracts(folder, contractFiles);
  };
  return recordRun(folder, { setting: SETTING, exchanges: EXCHANGES, contractFiles, beside });
}

function read(changes: { mostBytes?: number; withLines?: boolean } = {}): Promise<ReadReport> {
  const input = { dir, waivers: [], leaveOut: [], stopAtMs, mostBytes: 1e6, withLines: false };
  return readReportTask({ ...input, ...changes }, watched);
}

test('a record gives its run and the exchanges that show findings', async () => {
  const report = await read();
  expect(report.run).toEqual(ended);
  expect(report.exchanges).toEqual(EXCHANGES.slice(2));
  expect(report.leftOut).toBe(0);
});

test('what there is no room for is counted', async () => {
  const one = Buffer.byteLength(JSON.stringify(EXCHANGES[2]));
  const { exchanges, leftOut } = await read({ mostBytes: one * 2 });
  expect(exchanges.map(({ id }) => id)).toEqual(['x00003', 'x00004']);
  expect(leftOut).toBe(1);
});

test('a run that was killed is judged from what it left, and is partial', async () => {
  const config = { contracts: [], allowRefs: [] };
  writeJudged(dir, (await prepareTask({ config, setting: SETTING })).run);
  const file = join(dir, 'exchanges.ndjson');
  // Its end was not yet written.
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -3);
  writeFileSync(file, `${lines.join('\n')}\n{"id":"x00006"`);
  const { run, exchanges } = await read();
  expect(run).toMatchObject({ complete: false, outcome: 'does-not-conform' });
  expect(run.rules.find(({ id }) => id === RULE)?.verdict).toBe('fail');
  expect(run.notices).toContain('The run did not come to its end.');
  expect(exchanges.map(({ id }) => id)).toEqual(['x00003', 'x00004', 'x00005']);
});

describe('a record that is not as its run left it is no evidence', () => {
  const edit = (name: string, change: (text: string) => string): void => {
    const file = join(dir, name);
    writeFileSync(file, change(readFileSync(file, 'utf8')));
  };

  test('one byte of an exchange that nobody shows', async () => {
    edit('exchanges.ndjson', (text) => text.replace('"latencyMs":1', '"latencyMs":2'));
    await expect(read()).rejects.toThrow(RecordAltered);
    await expect(read()).rejects.toThrow('exchanges.ndjson, line 2 does not continue');
  });

  test.each([
    [1, 'no longer names run.json: the last line of its run is missing'],
    [2, 'exchanges.ndjson does not say how the run ended'],
    [3, 'exchanges.ndjson does not say how the run ended'],
  ])('the last %d lines that are gone', async (count, message) => {
    edit(
      'exchanges.ndjson',
      (text) =>
        text
          .split('\n')
          .slice(0, -1 - count)
          .join('\n') + '\n',
    );
    await expect(read()).rejects.toThrow(message);
  });

  test('a verdict in its summary', async () => {
    edit('run.json', (text) => text.replace('"evidence": 5', '"evidence": 6'));
    await expect(read()).rejects.toThrow('run.json is not as its run left it');
  });

  test('a file that is no part of it', async () => {
    writeFileSync(join(dir, 'counterexamples.ndjson'), '');
    await expect(read()).rejects.toThrow('counterexamples.ndjson is no part of the record');
  });
});

test('a folder without a record is wrong use', async () => {
  rmSync(join(dir, 'run.json'));
  await expect(read()).rejects.toThrow(UsageError);
});

test('the lines of operations in contracts of the user are found', async () => {
  const file = join(root, 'zap.yaml');
  const text = `openapi: 3.1.0
info: { title: t, version: '1' }
paths:
  /v1/config/providers:
    # the providers
    get:
      responses: { '200': { description: all } }
`;
  writeFileSync(file, text);
  rmSync(dir, { recursive: true });
  await record(dir, await fetchContractFiles([{ api: 'zap', source: file }]));
  const { lines } = await read({ withLines: true });
  expect(lines).toEqual([{ operation: 'zap.providers', url: pathToFileURL(file).href, line: 6 }]);
  expect((await read()).lines).toEqual([]);
});
