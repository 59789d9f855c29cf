import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { exchangeOf } from '../../../contracts/judging/exchange.testkit.ts';
import { loadContract } from '../../../contracts/service/load-contract.ts';
import { EVERY_RULE } from '../../../contracts/judging/rule-choice.ts';
import { readAllExchanges } from '../../../target/record/record-reader.ts';
import { createRecord } from '../../../target/record/recorder.ts';
import {
  BEGAN_MS,
  podLines,
  pointLine,
  recordedFiles,
  writePod,
} from '../../../load/engines/k6/k6-recorded.testkit.ts';
import { CLUSTER_FILE, type ClusterPlan } from './cluster-plan.ts';
import { UsageError } from '../../exit-code.ts';
import { readLoad } from '../../record/load-record.ts';
import { keepSamplesTask, type MergedSamples, mergeSamplesTask } from './merge-samples.ts';

const { sha256 } = await loadContract();
const RULE = 'zap.pools.within-limit';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'assay-samples-'));
  writePlan({});
});
afterEach(() => {
  rmSync(dir, { recursive: true });
});

function writePlan(changes: Partial<ClusterPlan>): void {
  const plan: ClusterPlan = {
    ...{ schemaVersion: 1, tool: { name: 'assay', version: '0.0.1' }, k6: '1.8.1', parts: 2 },
    ...{ manifest: { sha256 }, seed: 7, profile: 'gate', choice: EVERY_RULE, labels: { a: '1' } },
    target: { kind: 'remote', urls: { zap: 'http://zap.invalid' }, credentials: [] },
    ...{ apis: ['zap'], contract: { sha256 }, files: recordedFiles() },
    thresholds: ['p99<300ms', 'dropped==0', 'violations==0'],
    ...changes,
  };
  writeFileSync(join(dir, CLUSTER_FILE), JSON.stringify(plan));
}

function merge(thresholds: readonly string[] = []): Promise<MergedSamples> {
  const asked = { thresholds, written: undefined, waivers: [], labels: { b: '2' } };
  return mergeSamplesTask({ dir, name: 'c', ...asked }, { signal: new AbortController().signal });
}

const violation = pointLine('violations', BEGAN_MS + 500, {
  tags: { rule: RULE, scenario: 'step0' },
  metadata: {
    slot: '4',
    exchange: JSON.stringify(exchangeOf({ id: 'k4', path: '/v1/pools?limit=1' })),
  },
});

test('samples of all parts come to one run, held to its thresholds', async () => {
  writePod(dir, 'a.json.gz', podLines(1, 2, { more: [violation] }));
  writePod(dir, 'b.json.gz', podLines(2, 2));
  const { load, setting, exchanges, end } = await merge(['p99<10ms']);
  expect(load.whole.counts).toMatchObject({ offered: 41, sent: 41, served: 41 });
  expect(load.steps.map(({ counts }) => counts.offered)).toEqual([21, 20]);
  expect(load.thresholds.map(({ expression, held }) => [expression, held])).toEqual(
    expect.arrayContaining([
      ['p99<10ms', false],
      ['dropped==0', true],
      ['violations==0', false],
    ]),
  );
  expect(load.thresholds).toHaveLength(3);
  expect(load.violations).toMatchObject([{ rule: RULE, count: 1, firstExchange: 'k00001' }]);
  expect(load.invalid).toEqual([]);
  expect([load.machine, load.generator.cpuSeconds]).toEqual([undefined, undefined]);
  expect(setting).toMatchObject({ seed: 7, labels: { a: '1', b: '2' } });
  expect(setting.startedAt.getTime()).toBe(BEGAN_MS);
  expect(end.endedAt.getTime()).toBeGreaterThan(BEGAN_MS + 3000);
  expect(end.notices.join()).toMatch(/2 parts in a cluster: a\.json\.gz, b\.json\.gz\. They say/);
  // And what is written is read again as it was.
  const recordDir = join(dir, 'record');
  createRecord(recordDir);
  const input = { recordDir, recordId: 'r', maxRecordBytes: 1e6, load, exchanges };
  expect(keepSamplesTask(input)).toMatchObject({ cutShort: false, recorded: { exchanges: 1 } });
  expect(readLoad(recordDir)).toEqual({ load });
  const full = join(dir, 'full');
  createRecord(full);
  expect(keepSamplesTask({ ...input, recordDir: full, maxRecordBytes: 10 })).toMatchObject({
    cutShort: true,
    notices: [expect.stringContaining('--max-record-bytes')],
  });
  const kept = await readAllExchanges(recordDir, 'r');
  expect(kept.exchanges.map(({ id }) => id)).toEqual(['k00001']);
});

test('dropped requests make the figures not count', async () => {
  const more = [pointLine('dropped_iterations', BEGAN_MS + 9)];
  writePod(dir, 'a.json.gz', podLines(1, 2, { without: [4], more }));
  writePod(dir, 'b.json.gz', podLines(2, 2));
  const { load } = await merge();
  expect(load.invalid.join()).toContain('1 of 41 requests of the schedule were never sent');
  expect(load.thresholds).toContainEqual({ expression: 'dropped==0', measured: 1, held: false });
});

test.each([
  ['no samples', {}, /c holds no samples: copy <pod>\.json\.gz of all parts/],
  [
    'another contract',
    { contract: { sha256: 'b'.repeat(64) } },
    /written by Assay 0\.0\.1, which judged by another contract/,
  ],
  [
    'no plan',
    { files: { ...recordedFiles(), 'choices.json': '["000"]' } },
    /c\/cluster\.json holds no plan of assay load --k8s: the plan has no request/,
  ],
])('%s: it is refused before anything is written', async (_, changes, message) => {
  writePlan(changes);
  const merging = merge();
  await expect(merging).rejects.toThrow(UsageError);
  await expect(merging).rejects.toThrow(message);
  expect(readdirSync(dir)).toEqual([CLUSTER_FILE]);
});
