import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { EVERY_RULE } from '../../../contracts/judging/rule-choice.ts';
import { recordedFiles } from '../../../load/engines/k6/k6-recorded.testkit.ts';
import { CLUSTER_FILE, type ClusterPlan, MANIFEST_FILE } from './cluster-plan.ts';
import { isManifestOf, manifestDigest, readClusterPlan } from './cluster-plan.ts';
import { UsageError } from '../../exit-code.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'assay-cluster-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true });
});

const plan: ClusterPlan = {
  ...{ schemaVersion: 1, tool: { name: 'assay', version: '1' }, k6: '1.8.1', parts: 2 },
  manifest: { sha256: manifestDigest('a: 1\n') },
  ...{ seed: 1, profile: 'gate', choice: EVERY_RULE, labels: { build: '7' } },
  target: { kind: 'remote', urls: { zap: 'http://zap.invalid' }, credentials: [] },
  ...{ apis: ['zap'], contract: { sha256: 'a'.repeat(64) }, thresholds: ['p99<1s'] },
  files: recordedFiles(),
};

function write(changes: object): void {
  writeFileSync(join(dir, CLUSTER_FILE), JSON.stringify({ ...plan, ...changes }));
}

test('what was kept is read again', () => {
  write({});
  expect(readClusterPlan(dir, 'c')).toEqual(plan);
});

test.each([
  ['4e9 parts', { parts: 4e9 }, /\/parts/],
  ['no files', { files: {} }, /\/files/],
  [
    'a target of an API that has no name',
    { target: { ...plan.target, urls: { 'x y': 'y' } } },
    /\/target/,
  ],
  ['labels that are no texts', { labels: { a: [] } }, /\/labels/],
  ['another version', { schemaVersion: 2 }, /\/schemaVersion/],
  ['a digest that is none', { contract: { sha256: '<b>' } }, /\/contract/],
])('%s: it is refused, and says where', (_, changes, message) => {
  write(changes);
  expect(() => readClusterPlan(dir, 'c')).toThrow(UsageError);
  expect(() => readClusterPlan(dir, 'c')).toThrow(message);
});

test('what is no JSON, or nested without end, is refused', () => {
  for (const text of ['', '['.repeat(1_000_000)]) {
    writeFileSync(join(dir, CLUSTER_FILE), text);
    expect(() => readClusterPlan(dir, 'c')).toThrow(/c\/cluster\.json is not what .*is no JSON/);
  }
});

test('whether the manifest is still the one that was written is known, if it is there', () => {
  expect(isManifestOf(dir, plan)).toBeUndefined();
  writeFileSync(join(dir, MANIFEST_FILE), 'a: 1\n');
  expect(isManifestOf(dir, plan)).toBe(true);
  writeFileSync(join(dir, MANIFEST_FILE), 'a: 2\n');
  expect(isManifestOf(dir, plan)).toBe(false);
});
