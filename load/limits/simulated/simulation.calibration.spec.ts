import { expect, test } from 'vitest';
import { type Grade, GRADES } from '../../probe/grade/grade.ts';
import { probe, randomLimiter } from './random-limiters.testkit.ts';

const LIMITERS = 200;

test(`${LIMITERS} random limiters`, async () => {
  const grades: Grade[] = [];
  for (let seed = 1; seed <= LIMITERS; seed += 1) {
    grades.push(await probe(randomLimiter(seed)));
  }
  const count = (grade: Grade): number => grades.filter((one) => one === grade).length;
  console.log(GRADES.map((grade) => `${count(grade)} ${grade}`).join(', '));
  expect(count('WRONG') / LIMITERS).toBeLessThanOrEqual(0.02);
  expect(count('right') / LIMITERS).toBeGreaterThanOrEqual(0.92);
}, 1_200_000);
