import { describe, expect, test } from 'vitest';
import { LIMIT_ALGORITHMS } from '../../../../fixtures/service/reference/limits.ts';
import { chance } from '../../../../load/limits/simulated/simulation.testkit.ts';
import { medianText, noneWrong, rowText, summary } from './bench-table.ts';
import { REFERENCE_CASES } from './cases.ts';
import { referenceRow } from './reference-rows.ts';

test('every algorithm is tried with five sets of parameters', () => {
  expect(Object.keys(REFERENCE_CASES).sort()).toEqual([...LIMIT_ALGORITHMS].sort());
  expect(new Set(Object.values(REFERENCE_CASES).map((sets) => new Set(sets).size))).toEqual(
    new Set([5]),
  );
});

/** The middle of every range. */
const half = (): number => 0.5;

describe('a row', () => {
  test('says what was found, and what it cost', async () => {
    const row = await referenceRow('sliding-log', 'limit=20,window=10s', half);
    expect(row).toMatchObject({ kind: 'identified', grade: 'right', name: 'sliding-log' });
    expect(row.requestsOverBound).toBeCloseTo(row.requests / 21, 2);
    expect(row.secondsOverWindow).toBeCloseTo(row.seconds / 10, 2);
    expect(rowText(row)).toContain('sliding-log N=20 W=10s');
  });

  test('is the same when probed again', async () => {
    const [once, again] = await Promise.all([
      referenceRow('gcra', 'burst=5,refill=5/s', half),
      referenceRow('gcra', 'burst=5,refill=5/s', half),
    ]);
    expect(again).toEqual(once);
  });
});

test.each([
  ['fixed-window', 'limit=30,window=10s', 1.3],
  ['sliding-log', 'limit=30,window=10s', 1.3],
  // A wait that is said to start anew is compared with a client that paces itself.
  ['restart-on-reject', 'limit=30,window=10s', 2.4],
  ['token-bucket', 'burst=100,refill=1/2s', 1.3],
] as const)(
  'a %s whose service announces the truth is found with few more than N + 1',
  async (name, parameters, most) => {
    const row = await referenceRow(name, parameters, chance(1));
    expect(row).toMatchObject({ kind: 'identified', grade: 'right' });
    expect(row.requestsOverBound).toBeLessThanOrEqual(most);
  },
);

test('a wrong answer is printed as one, and none is left out', async () => {
  const row = await referenceRow('fixed-window', 'limit=5,window=1s', half);
  const wrong = { ...row, grade: 'WRONG' } as const;
  expect(rowText(wrong)).toContain(' WRONG ');
  expect(noneWrong([row, wrong])).toBe(false);
  expect(noneWrong([row])).toBe(true);
  expect(summary([row, wrong])[0]).toContain('2 rows');
  expect(summary([row, wrong])[0]).toContain('1 WRONG');
});

test.each([
  [[], 'none'],
  [[3], '3.00'],
  [[9, 1, 2], '2.00'],
  [[4, 1, 2, 9], '3.00'],
])('the median of %j is %s', (values, median) => {
  expect(medianText(values)).toBe(median);
});
