import { expect, test } from 'vitest';
import { timesToHold } from './times-to-hold.ts';

test.each([
  [undefined, 1],
  [{ broken: 3, judged: 3 }, 1],
  // Once, and not in three tries: the tries say that it is seldom, and no more.
  [{ broken: 1, judged: 4 }, 396],
  [{ broken: 2, judged: 4 }, 32],
  [{ broken: 3, judged: 4 }, 11],
  [{ broken: 1, judged: 200 }, 19_800],
])('a fault of the rate %j is missed in 1 of 100 at most', (rate, times) => {
  expect(timesToHold(rate)).toBe(times);
});

test('a rate that few requests show is missed in 1 of 100 at most, whatever it is', () => {
  const [tries, steps] = [3, 2_000];
  for (let again = 0; again < tries; again += 1) {
    const times = timesToHold({ broken: 1 + again, judged: 1 + tries });
    let [shown, missed] = [0, 0];
    for (let step = 0; step < steps; step += 1) {
      const rate = (step + 0.5) / steps;
      const weight = rate ** again * (1 - rate) ** (tries - again);
      shown += weight;
      missed += weight * (1 - rate) ** times;
    }
    expect(missed / shown).toBeLessThanOrEqual(0.0101);
  }
});
