import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RegressionRow } from '../../../contracts/run/run.ts';
import { omit } from '../../../contracts/wire/json.ts';
import { noteKeptRuns, type KeptRuns } from './kept-runs.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'assay-kept-runs-'));
  writeFileSync(join(dir, 'a.1.json'), JSON.stringify({ rule: 'a', requests: [] }));
});
afterEach(() => {
  rmSync(dir, { recursive: true });
});

const after = (verdict: RegressionRow['verdict'], name = 'a.1'): KeptRuns =>
  noteKeptRuns(dir, [{ name, rule: 'a', verdict }], 3);

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

type Row = Omit<RegressionRow, 'name'>;

/** The file after nights, each of which says something of its rules. */
function fileAfter(file: object, ...nights: readonly (readonly Row[])[]): unknown {
  writeFileSync(join(dir, 'f.json'), JSON.stringify({ requests: [], ...file }));
  for (const rows of nights) {
    noteKeptRuns(
      dir,
      rows.map((row) => ({ ...row, name: 'f' })),
      3,
    );
  }
  if (!readdirSync(dir).includes('f.json')) return 'removed';
  const kept = JSON.parse(readFileSync(join(dir, 'f.json'), 'utf8')) as Record<string, unknown>;
  return omit(kept, 'requests');
}

test('a file of two rules counts a run once, and is removed only if neither shows', () => {
  const file = { rule: 'a', also: [{ rule: 'b' }] };
  const night = (a: Row['verdict'], b: Row['verdict']): Row[] => [
    { rule: 'a', verdict: a },
    { rule: 'b', verdict: b },
  ];
  const [gone, half] = [night('not-shown', 'not-shown'), night('not-shown', 'shown')];
  expect(fileAfter(file, gone, gone)).toEqual({ ...file, keptRuns: 2 });
  expect(fileAfter(file, gone, gone, gone)).toBe('removed');
  expect(fileAfter(file, gone, gone, half)).toEqual({ ...file, keptRuns: 0 });
  expect(fileAfter(file, gone, gone, night('not-shown', 'unclear'))).toEqual({
    ...{ ...file, keptRuns: 2 },
  });
});

test('what shows at times has the sendings of its runs put together, until it shows', () => {
  const rate = { broken: 2, judged: 4 };
  const file = { rule: 'a', rate };
  const night = (held: number, verdict: Row['verdict'] = 'unclear'): Row[] => [
    { rule: 'a', verdict, held },
  ];
  expect(fileAfter(file, night(12), night(0), night(12))).toEqual({ ...file, held: 24 });
  // More than the rate asks for is no more evidence.
  expect(fileAfter(file, night(20), night(20))).toEqual({ ...file, held: 32 });
  // It shows more seldom than was known.
  expect(fileAfter(file, night(12), night(4, 'shown'))).toEqual({
    ...{ rule: 'a', rate: { broken: 3, judged: 21 } },
  });
  // What was called gone is another fault when it is there again.
  expect(fileAfter(file, night(32, 'not-shown'), night(4, 'shown'))).toEqual({
    ...{ ...file, keptRuns: 0 },
  });
  const elsewhere: Row[] = [{ rule: 'a', verdict: 'shown' }];
  expect(fileAfter(file, night(12), elsewhere)).toEqual({
    ...{ rule: 'a', rate: { broken: 2, judged: 16 } },
  });
  // No run writes such: it is no evidence.
  for (const held of [-9, 33, 0.5, '9']) {
    const also = [{ rule: 'b', rate, held }];
    expect(fileAfter({ rule: 'a', also }, [{ rule: 'b', verdict: 'unclear', held: 5 }])).toEqual({
      ...{ rule: 'a', also: [{ rule: 'b', rate, held: 5 }] },
    });
  }
});

test('without an end, runs of what does not show are not counted', () => {
  noteKeptRuns(dir, [{ name: 'a.1', rule: 'a', verdict: 'not-shown' }]);
  expect(JSON.parse(readFileSync(join(dir, 'a.1.json'), 'utf8'))).not.toHaveProperty('keptRuns');
});

test('what is no such file is left as it is, with a notice', () => {
  writeFileSync(join(dir, 'b.json'), '{');
  expect(after('not-shown', 'b').notices).toHaveLength(1);
  expect(after('not-shown', 'c')).toEqual({ removed: [], notices: [] });
  expect(readFileSync(join(dir, 'b.json'), 'utf8')).toBe('{');
});
