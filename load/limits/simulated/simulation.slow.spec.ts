import { expect, test } from 'vitest';
import { grade, probe, randomTrial, type Grade } from './random-limiters.testkit.ts';

/** The seeds of the limiters that every run tries; the slow spec tries more. */
const TRIALS = 12;

test(`of ${TRIALS} random limiters hardly one is called what it is not`, async () => {
  const grades: Record<Grade, number[]> = { right: [], ambiguous: [], missed: [], wrong: [] };
  for (let seed = 1; seed <= TRIALS; seed += 1) {
    const trial = randomTrial(seed);
    const { estimate } = await probe(trial);
    grades[grade(trial.truth, estimate)].push(seed);
  }
  // Seeds in the message, so that a failure can be looked into.
  const reported = JSON.stringify({ wrong: grades.wrong, missed: grades.missed });
  expect(grades.wrong.length, reported).toBeLessThanOrEqual(1);
  expect(grades.missed.length, reported).toBeLessThanOrEqual(0);
  expect(grades.right.length, reported).toBeGreaterThanOrEqual(11);
});
