import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunJson } from '../../contracts/run/run.ts';
import { COMPLETED, isNamedInRecord } from '../../contracts/run/unjudged.ts';
import { writeEarlierRecord } from '../../fixtures/records/earlier-records.testkit.ts';
import { isJudgedAs } from '../../target/record/judged-tail.ts';
import { RecordAltered } from '../../target/record/record-error.ts';
import { writeLimits } from '../record/limits-record.ts';
import { CHECK, editRun } from './edited-record.testkit.ts';
import { recordRun } from './recorded-run.testkit.ts';
import { basisNoticeTask, uncoveredTask } from './sound-record.ts';

let root = '';
let dir = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-sound-'));
  dir = join(root, 'record');
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

const notice = (): Promise<string | undefined> => basisNoticeTask({ dir });
const isAsSealed = (): unknown => {
  const text = readFileSync(join(dir, 'run.json'), 'utf8');
  return isJudgedAs(dir, text, () => isNamedInRecord(JSON.parse(text) as RunJson));
};

describe('a record that another run rests on', () => {
  const record = (): Promise<unknown> =>
    recordRun(dir, {
      ...CHECK,
      kind: 'limits',
      beside: () => {
        writeLimits(dir, [], []);
      },
    });

  test('is taken without a word if its lines cover it', async () => {
    await record();
    expect([await notice(), isAsSealed()]).toEqual([undefined, true]);
  });

  test.each([
    ['its summary', 'run.json', /run\.json .*seed/],
    ['what was measured', 'limits.json', /limits\.json is not as its run left it/],
    ['an exchange', 'exchanges.ndjson', /does not continue the chain/],
  ])('is refused if somebody edited %s', async (_, name, why) => {
    await record();
    const file = join(dir, name);
    if (name === 'run.json') editRun(dir, (run) => (run.seed = 7));
    else writeFileSync(file, readFileSync(file, 'utf8').replace(/limits|quote|config/, 'x'));
    await expect(notice()).rejects.toThrow(RecordAltered);
    await expect(notice()).rejects.toThrow(why);
    expect(isAsSealed()).toBe(name !== 'run.json');
  });

  const removeJudged = (): void => {
    const file = join(dir, 'exchanges.ndjson');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/^\{"judged":.*\n/gm, ''));
  };

  test('is refused if somebody removed the line that names its summary', async () => {
    await record();
    removeJudged();
    await expect(notice()).rejects.toThrow(/no longer names .*run\.json/);
    expect(isAsSealed()).toBe(false);
  });

  test('is believed, and the notice says so, if it was judged after its run', async () => {
    await record();
    removeJudged();
    editRun(dir, (run) => (run.notices = [COMPLETED]));
    expect([await notice(), isAsSealed()]).toEqual([
      expect.stringMatching(/^Nothing covers/),
      undefined,
    ]);
  });

  test.each(['limits', 'load', 'killed'] as const)(
    'is believed, and the notice says so, if it is an earlier one: %s',
    async (name) => {
      writeEarlierRecord(name, dir);
      expect(await notice()).toMatch(/^Nothing covers what .*record says, as an earlier version/);
      expect(isAsSealed()).toBeUndefined();
    },
  );

  test('is named among others if an earlier version wrote it', async () => {
    await record();
    const earlier = join(root, 'earlier');
    writeEarlierRecord('check', earlier);
    expect(await uncoveredTask({ dirs: [dir, earlier] })).toEqual([earlier]);
  });

  test('is refused if a file of an earlier one is not the one that its summary names', async () => {
    writeEarlierRecord('limits', dir);
    writeLimits(dir, [], []);
    await expect(notice()).rejects.toThrow(/limits\.json is not as its run left it/);
  });
});
