import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CONTRACTS_FILE } from '../record/contracts-record.ts';
import { taskHeapMb } from './task-heap.ts';
import { lacks } from '../../fixtures/machine-needs.testkit.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'assay-heap-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true });
});

const keep = (file: object): void => {
  const padded = { ...file, text: ' '.repeat(2_000_000) };
  writeFileSync(join(dir, CONTRACTS_FILE), JSON.stringify({ contracts: [{ files: [padded] }] }));
};

test('a record whose contract was read within larger limits takes more, however small it is', () => {
  keep({});
  const usual = taskHeapMb({ dir });
  keep({ mostBytes: 20_000_000 });
  expect([usual, taskHeapMb({ dir }) > usual]).toEqual([taskHeapMb({}), true]);
  // What a text of it says is no limit.
  keep({ title: '"mostBytes":1' });
  expect(taskHeapMb({ dir })).toBe(usual);
});

test.skipIf(lacks('mkfifo'))('a pipe in the place of the contracts is not waited for', () => {
  execFileSync('mkfifo', [join(dir, CONTRACTS_FILE)]);
  expect(taskHeapMb({ dir })).toBe(taskHeapMb({}));
});
