import { expect, test } from 'vitest';
import { accuracyTable, isGoalMet, type AccuracyLine } from './accuracy.ts';

function line(perSecond: number, p50Ms: number, p99Ms: number, isValid = true): AccuracyLine {
  const truth = { p50Ms: 20, p99Ms: 22 };
  return { server: 'after 20 ms', perSecond, truth, judged: { p50Ms, p99Ms, isValid } };
}

test('at low rates both figures are to be near the truth, valid or not', () => {
  expect(isGoalMet(line(100, 20.9, 26))).toBe(true);
  expect(isGoalMet(line(500, 21.1, 22))).toBe(false);
  expect(isGoalMet(line(500, 20, 27))).toBe(false);
});

test('at high rates a figure may be wrong if the run says that it does not count', () => {
  expect(isGoalMet(line(1_500, 40, 26))).toBe(true);
  expect(isGoalMet(line(2_000, 20, 60))).toBe(false);
  expect(isGoalMet(line(2_000, 20, 60, false))).toBe(true);
  expect(isGoalMet(line(1_000, 20, 60))).toBeUndefined();
});

test('the table has a column for another program if there is one', () => {
  const one = line(100, 21, 23);
  expect(accuracyTable([one], undefined)).toMatch(/100\/s +20\.0 \/ 22\.0 +21\.0 \/ 23\.0 {2}met/);
  const truth = { p50Ms: 20, p99Ms: 22 };
  const other = { truth, reported: { p50Ms: 20.5, p99Ms: 22.5 } };
  expect(accuracyTable([{ ...one, other }], 'vegeta')).toMatch(/vegeta {2}goal\n.*20\.5 \/ 22\.5/);
});
