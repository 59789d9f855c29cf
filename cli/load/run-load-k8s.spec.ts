import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { UsageError } from '../exit-code.ts';
import { writeClusterRun } from './run-load-k8s.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-k8s-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const target = { zapUrl: 'http://127.0.0.1:9' };

test.each([
  ['no target', {}, /needs a target that both this machine and the cluster reach/],
  ['a host of somebody else', { zapUrl: 'http://zap.example' }, /--allow-load zap\.example/],
  [
    'a host of somebody else at more than 20 a second, which is a matter of consent alone,',
    { zapUrl: 'http://zap.example', scenario: 'average' },
    /--allow-load zap\.example/,
  ],
  ['what keeps no schedule', { ...target, scenario: 'saturation' }, /keeps no schedule/],
  [
    'clients that come back',
    { ...target, scenario: 'herd' },
    /run this scenario with the open-loop/,
  ],
  ['a contract', { ...target, contract: ['zap=/x.yaml'] }, /built-in contract alone/],
])('a cluster cannot run %s', async (_what, flags, message) => {
  const dir = join(folder, 'new');
  const writing = writeClusterRun({ k8s: dir, ...flags });
  await expect(writing).rejects.toThrow(UsageError);
  await expect(writing).rejects.toThrow(message);
  expect(existsSync(dir)).toBe(false);
});

test('a manifest that is there is not written over', async () => {
  writeFileSync(join(folder, 'testrun.yaml'), 'mine');
  await expect(writeClusterRun({ k8s: folder, ...target })).rejects.toThrow(
    /testrun\.yaml could not be written: it is there already/,
  );
});
