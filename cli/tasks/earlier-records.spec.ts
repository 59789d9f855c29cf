import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  EARLIER_RECORDS,
  type EarlierRecord,
  writeEarlierRecord,
} from '../../fixtures/records/earlier-records.testkit.ts';
import { judgeAgainTask, type JudgedAgainRun } from './judge.ts';
import { partOf } from './load/load-parts.ts';
import { readReportTask } from './read-report.ts';
import { readRun } from './read-run.ts';

const watched = { inHand: new Int32Array(2) };
const common = { waivers: [], leaveOut: [], stopAtMs: Number.MAX_SAFE_INTEGER };

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-earlier-'));
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

function written(name: EarlierRecord): string {
  const dir = join(root, name);
  writeEarlierRecord(name, dir);
  return dir;
}

function again(dir: string): Promise<JudgedAgainRun> {
  return judgeAgainTask({ dir, config: { contracts: [], allowRefs: [] }, ...common }, watched);
}

describe.each(EARLIER_RECORDS)('a record of version 0.1.0: %s', (name) => {
  test('is judged again', async () => {
    const dir = written(name);
    const recorded = readRun(dir);
    const { run, completes } = await again(dir);
    expect(run.rules.some(({ verdict }) => verdict === 'pass')).toBe(true);
    expect(run.complete).toBe(recorded.complete);
    expect(completes).toBe(name === 'unjudged');
    // What the other two came to was known to nobody yet.
    if (name !== 'unjudged' && name !== 'killed') expect(run.outcome).toBe(recorded.outcome);
    expect(run.load).toEqual(recorded.load);
    expect(run.limits).toEqual(recorded.limits);
  });

  test('is read for a report', async () => {
    const more = { mostBytes: 1_000_000, withLines: true };
    const { run, leftOut } = await readReportTask(
      { dir: written(name), ...common, ...more },
      watched,
    );
    expect(run.counts.exchanges).toBeGreaterThan(0);
    expect(leftOut).toBe(0);
  });
});

test('parts of a load of version 0.1.0 are not merged, since nothing covers their settings', async () => {
  const dir = written('part-1');
  const { run } = await again(dir);
  expect(() => partOf('part-1', dir, run)).toThrow(
    /part-1 was written by an earlier version .*its chain covers no settings/,
  );
});
