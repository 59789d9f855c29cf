import { expect, test } from 'vitest';
import { type Grade, GRADES } from '../../known-limiters/grade.ts';
import { probe, randomTrial } from './random-limiters.testkit.ts';

const TRIALS = 200;

test(`${TRIALS} random limiters`, async () => {
  const grades: Grade[] = [];
  for (let seed = 1; seed <= TRIALS; seed += 1) {
    grades.push(await probe(randomTrial(seed)));
  }
  const count = (grade: Grade): number => grades.filter((one) => one === grade).length;
  console.log(GRADES.map((grade) => `${count(grade)} ${grade}`).join(', '));
  expect(count('WRONG') / TRIALS).toBeLessThanOrEqual(0.02);
  expect(count('right') / TRIALS).toBeGreaterThanOrEqual(0.92);
}, 1_200_000);
