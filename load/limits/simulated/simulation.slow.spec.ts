import { expect, test } from 'vitest';
import type { Grade } from '../../probe/grade/grade.ts';
import { probe, randomLimiter } from './random-limiters.testkit.ts';

/** The seeds of the limiters that every run tries; the slow spec tries more. */
const LIMITERS = 12;

test(`of ${LIMITERS} random limiters hardly one is called what it is not`, async () => {
  const grades = new Map<Grade, number[]>();
  for (let seed = 1; seed <= LIMITERS; seed += 1) {
    const grade = await probe(randomLimiter(seed));
    grades.set(grade, [...(grades.get(grade) ?? []), seed]);
  }
  // Seeds in the message, so that a failure can be looked into.
  const reported = JSON.stringify([...grades]);
  const count = (grade: Grade): number => grades.get(grade)?.length ?? 0;
  expect(count('WRONG'), reported).toBeLessThanOrEqual(1);
  expect(count('missed') + count('inconclusive'), reported).toBeLessThanOrEqual(0);
  expect(count('right'), reported).toBeGreaterThanOrEqual(11);
});
