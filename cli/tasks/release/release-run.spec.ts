import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openGaps } from '../../../contracts/release/release-outcome.ts';
import { RecordAltered } from '../../../target/record/record-error.ts';
import { UsageError } from '../../exit-code.ts';
import { judgedOf, recordRun, statementFor } from './certificate.testkit.ts';
import { releaseRunTask } from './release-run.ts';

const root = mkdtempSync(join(tmpdir(), 'assay-release-run-'));
afterAll(() => {
  rmSync(root, { recursive: true });
});

const RULE = 'zap.providers.response-shape';
const waiver = { rule: RULE, reason: 'known', owner: 'me', expires: '2026-12-31' };
const unreached = { ...waiver, rule: 'zap.limits.per-address' };
const dir = join(root, 'run');
beforeAll(async () => {
  await recordRun(dir, 'r1', { waivers: [waiver, unreached] });
});

test('a record is judged with the waivers of its run, which the release then has', async () => {
  const { recorded, judged } = await judgedOf(dir);
  expect(judged.rules.find(({ id }) => id === RULE)?.verdict).toBe('waived');
  expect({ ...judged, notices: [] }).toEqual({ ...recorded, notices: [] });
  const { predicate } = await statementFor([dir]);
  expect(predicate.waivers).toEqual([waiver, unreached]);
  const gap = predicate.gaps.find(({ rule }) => rule === unreached.rule);
  expect(gap).toMatchObject({ kind: 'not-reached', waiver: unreached });
  expect(openGaps(predicate).map(({ rule }) => rule)).toContain('zap.throttled.typed-body');
});

describe('a release is not made of', () => {
  function alteredRun(edit: (run: Record<string, unknown>) => object): void {
    const file = join(dir, 'run.json');
    const run = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    writeFileSync(file, JSON.stringify(edit(run)));
  }
  const make = (): Promise<unknown> =>
    releaseRunTask(
      { dir, purpose: 'make', leaveOut: [], stopAtMs: Number.MAX_SAFE_INTEGER },
      { inHand: new Int32Array(2) },
    );

  test('a run whose summary says otherwise than its exchanges', async () => {
    const file = join(dir, 'run.json');
    const whole = readFileSync(file, 'utf8');
    alteredRun((run) => ({ ...run, outcome: 'does-not-conform', ledger: [] }));
    await expect(make()).rejects.toThrow(RecordAltered);
    // To check a certificate is to find in what they differ.
    expect((await judgedOf(dir)) as unknown).toMatchObject({
      altered: expect.arrayContaining([expect.stringContaining('run.json')]) as string[],
    });
    writeFileSync(file, whole);
  });

  test('a run that was cut short', async () => {
    alteredRun((run) => ({ ...run, complete: false }));
    await expect(make()).rejects.toThrow(UsageError);
    await expect(make()).rejects.toThrow(/did not come to its end/);
  });
});
