import { expect, test } from 'vitest';
import { grade, probe, randomTrial, type Grade } from './random-limiters.testkit.ts';

const TRIALS = 200;

test(`${TRIALS} random limiters`, async () => {
  const counts: Record<Grade, number> = { right: 0, ambiguous: 0, missed: 0, wrong: 0 };
  for (let seed = 1; seed <= TRIALS; seed += 1) {
    const trial = randomTrial(seed);
    const { estimate } = await probe(trial);
    counts[grade(trial.truth, estimate)] += 1;
  }
  console.log(JSON.stringify(counts));
  expect(counts.wrong / TRIALS).toBeLessThanOrEqual(0.02);
  expect(counts.right / TRIALS).toBeGreaterThanOrEqual(0.92);
}, 1_200_000);
