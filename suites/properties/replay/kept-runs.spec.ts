import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RegressionRow } from '../../../contracts/run/run.ts';
import { countKeptRuns, type KeptRuns } from './kept-runs.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'assay-kept-runs-'));
  writeFileSync(join(dir, 'a.1.json'), JSON.stringify({ rule: 'a', requests: [] }));
});
afterEach(() => {
  rmSync(dir, { recursive: true });
});

const after = (verdict: RegressionRow['verdict'], name = 'a.1'): KeptRuns =>
  countKeptRuns(dir, [{ name, rule: 'a', verdict }], 3);

test('what did not show in so many runs, one after the other, is removed', () => {
  for (const verdict of ['not-shown', 'not-shown', 'shown', 'not-shown', 'not-shown'] as const)
    expect(after(verdict)).toEqual({ removed: [], notices: [] });
  // A run that says nothing of it neither counts nor begins anew.
  for (const verdict of ['unclear', 'not-sent'] as const) after(verdict);
  expect(JSON.parse(readFileSync(join(dir, 'a.1.json'), 'utf8'))).toEqual({
    ...{ rule: 'a', requests: [], keptRuns: 2 },
  });
  expect(after('not-shown')).toEqual({ removed: ['a.1'], notices: [] });
  expect(readdirSync(dir)).toEqual([]);
});

test('what is no such file is left as it is, with a notice', () => {
  writeFileSync(join(dir, 'b.json'), '{');
  expect(after('not-shown', 'b').notices).toHaveLength(1);
  expect(after('not-shown', 'c')).toEqual({ removed: [], notices: [] });
  expect(readFileSync(join(dir, 'b.json'), 'utf8')).toBe('{');
});
