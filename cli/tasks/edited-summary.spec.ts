/** Long because it is a table of what may be done to one file of a record, for each kind of run. */

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EVERY_RULE } from '../../contracts/judging/rule-choice.ts';
import { EXAMPLE_LOAD } from '../../contracts/run/load/load-run.testkit.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import { isObject } from '../../contracts/wire/json.ts';
import { RecordAltered, RecordCorrupt } from '../../target/record/record-error.ts';
import { writeLimits } from '../record/limits-record.ts';
import { writeLoad } from '../record/load-record.ts';
import { writeJudged } from '../record/record.ts';
import type { RunSetting } from '../run-setting.ts';
import { unjudgedRun } from '../run/unjudged-run.ts';
import {
  CHECK,
  type Editable,
  editRun,
  END,
  type Loose,
  RULE,
  SETTING,
  WAIVER,
} from './edited-record.testkit.ts';
import { judgeAgainTask } from './judge.ts';
import { recordBegun, recordEnded, type RecordedRun, recordRun } from './recorded-run.testkit.ts';

const NIGHT: RunSetting = { ...SETTING, profile: 'nightly' };
const KINDS: Readonly<Record<string, (dir: string) => RecordedRun>> = {
  check: () => CHECK,
  nightly: () => ({
    ...CHECK,
    setting: NIGHT,
    end: {
      ...END,
      search: {
        requests: 5,
        reached: [{ what: 'pairs', before: 1, now: 2, newestRequestsAgo: 3 }],
      },
    },
  }),
  limits: (dir) => ({
    ...CHECK,
    kind: 'limits',
    beside: () => {
      writeLimits(dir, [], [403]);
    },
  }),
  load: (dir) => ({
    ...CHECK,
    kind: 'load',
    beside: () => {
      writeLoad(dir, { load: EXAMPLE_LOAD });
    },
  }),
};
const watched = { inHand: new Int32Array(2) };
const common = { leaveOut: [], stopAtMs: Number.MAX_SAFE_INTEGER };
const config = { contracts: [], allowRefs: [] };

let root = '';
let dir = '';
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'assay-edited-'));
  for (const [kind, made] of Object.entries(KINDS)) {
    const folder = join(root, kind);
    await recordRun(folder, made(folder));
  }
});
afterAll(() => {
  rmSync(root, { recursive: true });
});
beforeEach(() => {
  dir = join(root, 'record');
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

function copied(kind: string): void {
  rmSync(dir, { recursive: true, force: true });
  cpSync(join(root, kind), dir, { recursive: true });
}

async function again(): Promise<RunJson> {
  return (await judgeAgainTask({ dir, config, waivers: 'of its run', ...common }, watched)).run;
}

function textOf(name: string): string {
  return readFileSync(join(dir, name), 'utf8');
}

/** The places of all members that are no objects or lists. */
function leavesOf(value: unknown, path: readonly string[] = []): string[][] {
  if (Array.isArray(value) || isObject(value)) {
    return Object.entries(value).flatMap(([name, one]) => leavesOf(one, [...path, name]));
  }
  return [[...path]];
}

function editLeaf(run: Loose, path: readonly string[]): void {
  const [name = '', ...rest] = path;
  const value = run[name];
  if (rest.length > 0) editLeaf(value as Loose, rest);
  else if (typeof value === 'number') run[name] = value + 1;
  else if (typeof value === 'boolean') run[name] = !value;
  else run[name] = value === null ? 1 : `${value as string}x`;
}

describe.each(Object.keys(KINDS))('a record of %s', (kind) => {
  test('gives the same again', async () => {
    copied(kind);
    const run = await again();
    expect(run).toEqual(JSON.parse(textOf('run.json')));
  });

  test('is no evidence once any member of its summary is another', async () => {
    copied(kind);
    const whole = textOf('run.json');
    const all = leavesOf(JSON.parse(whole));
    const apart = all.filter(([first]) => first !== 'rules');
    const leaf = fc.oneof(fc.constantFrom(...all), fc.constantFrom(...apart));
    await fc.assert(
      fc.asyncProperty(leaf, async (path) => {
        writeFileSync(join(dir, 'run.json'), whole);
        editRun(dir, (run) => {
          editLeaf(run, path);
        });
        const error: unknown = await again().catch((thrown: unknown) => thrown);
        expect(error instanceof RecordAltered || error instanceof RecordCorrupt).toBe(true);
        expect(String(error), path.join('/')).toMatch(/run\.json|exchanges\.ndjson/);
      }),
      { numRuns: 12 },
    );
  });
});

describe('an edited summary names what differs', () => {
  test.each<[string, (run: Editable) => unknown, RegExp]>([
    ['labels', (run) => (run.labels = { release: '2.0' }), /settings .*: labels/],
    [
      'its target',
      (run) => (run.target = { ...run.target, urls: { zap: 'https://zap.example' } }),
      /target/,
    ],
    ['what it is a run of', (run) => (run.target = { ...run.target, kind: 'reference' }), /target/],
    ['credentials', (run) => (run.target = { ...run.target, credentials: [] }), /target/],
    ['its seed', (run) => (run.seed = 7), /: seed/],
    ['its start', (run) => (run.startedAt = '2026-01-01T00:00:00.000Z'), /: startedAt/],
    ['its end', (run) => (run.endedAt = '2026-01-09T00:00:00.000Z'), /otherwise of endedAt/],
    ['whether it is complete', (run) => (run.complete = false), /says that the run is incomplete/],
    ['its notices', (run) => (run.notices = []), /otherwise of notices/],
    ['its tool', (run) => (run.tool = { ...run.tool, version: '9.9.9' }), /: tool/],
    [
      'its tool, and an outcome',
      (run) =>
        Object.assign(run, {
          tool: { ...run.tool, sha256: '0'.repeat(64) },
          outcome: 'undecided',
        }),
      /: tool/,
    ],
    [
      'a waiver that is slipped in',
      (run) => (run.waivers = [...(run.waivers ?? []), WAIVER]),
      /: waivers/,
    ],
    ['its budget', (run) => Object.assign(run.budget ?? {}, { maxRequests: 9 }), /: budget/],
    [
      'a level, with row and outcome',
      (run) => {
        const leftOut = { must: 0, should: 0, observe: 0 };
        run.choice = { ...EVERY_RULE, levels: [{ rules: RULE, level: 'observe' }], leftOut };
        const rules = run.rules.map((row) =>
          row.id === RULE
            ? { ...row, level: 'observe', statedLevel: 'must', verdict: 'observed' }
            : row,
        );
        Object.assign(run, { outcome: 'conforms', rules });
      },
      /: choice/,
    ],
    ['a failure of Assay', (run) => (run.failure = 'it failed'), /is not as its run left it/],
    ['latencies', (run) => (run.latencies = []), /otherwise of latencies/],
  ])('%s', async (_what, change, message) => {
    copied('check');
    editRun(dir, change);
    await expect(again()).rejects.toThrow(RecordAltered);
    await expect(again()).rejects.toThrow(message);
  });

  test('a member that stands twice', async () => {
    copied('check');
    const text = textOf('run.json').replace('"outcome":', '"outcome": "conforms",\n  "outcome":');
    writeFileSync(join(dir, 'run.json'), text);
    await expect(again()).rejects.toThrow('the member "outcome" stands twice');
  });

  test('only its spaces', async () => {
    copied('check');
    writeFileSync(join(dir, 'run.json'), textOf('run.json').trimEnd());
    await expect(again()).rejects.toThrow('run.json is not as its run left it');
  });
});

describe('what nobody judged', () => {
  async function begun(): Promise<RunJson> {
    return recordBegun(dir, CHECK);
  }

  test.each<[string, (run: Editable) => unknown]>([
    ['complete', (run) => (run.complete = true)],
    ['conforming', (run) => (run.outcome = 'conforms')],
    ['ended later', (run) => (run.endedAt = '2026-01-02T03:05:05.000Z')],
    ['labelled', (run) => (run.labels = { release: '2.0' })],
    ['sealed', (run) => (run.record = { id: 'r1', exchanges: 4, head: '0'.repeat(64) })],
  ])('a run that was killed is not made one that is %s', async (_what, change) => {
    await begun();
    expect((await again()).complete).toBe(false);
    editRun(dir, change);
    await expect(again()).rejects.toThrow(RecordAltered);
  });

  test.each<[string, (run: Editable) => unknown]>([
    ['complete', (run) => (run.complete = true)],
    ['counts', (run) => (run.counts = { ...run.counts, answered: 3 })],
    ['notices', (run) => (run.notices = run.notices.slice(0, 1))],
    ['what was cut short', (run) => (run.unjudged = { by: 'time', judged: 0, cutShort: true })],
  ])('a record that its run did not judge is no evidence with other %s', async (_what, change) => {
    const run = await begun();
    writeJudged(dir, unjudgedRun(run, END, await recordEnded(dir, CHECK), 'time'));
    expect((await again()).complete).toBe(true);
    editRun(dir, change);
    await expect(again()).rejects.toThrow(RecordAltered);
  });

  test('a record that was completed is no evidence once its summary is another', async () => {
    const run = await begun();
    writeJudged(dir, unjudgedRun(run, END, await recordEnded(dir, CHECK), 'time'));
    writeJudged(dir, await again());
    expect(await again()).toEqual(JSON.parse(textOf('run.json')));
    editRun(dir, (one) => (one.notices = one.notices.slice(1)));
    await expect(again()).rejects.toThrow('run.json says otherwise of notices than its exchanges');
  });
});

test('a file that was replaced in the middle of a run is not sealed', async () => {
  await recordBegun(dir, CHECK);
  const recorded = { exchanges: 12, head: 'ab'.repeat(32) };
  const end = { ...END, recorded };
  await expect(recordEnded(dir, { ...CHECK, end })).rejects.toThrow(
    'holds 4 exchanges, and the run recorded 12: something else replaced or changed the file',
  );
  const same = { ...END, recorded: { ...recorded, exchanges: 4 } };
  await expect(recordEnded(dir, { ...CHECK, end: same })).rejects.toThrow(RecordAltered);
});
