import fc from 'fast-check';
import { expect, test } from 'vitest';
import { probabilityInterval } from './binomial.ts';

// Values of published tables and of other software.
test.each([
  [0, 10, 0, 0.3085],
  [3, 97, 0.00643, 0.0877],
  [1, 1, 0.025, 1],
  [5, 10, 0.1871, 0.8129],
  [10, 10_000, 0.00048, 0.00184],
])('%i events in %i trials', (events, trials, least, greatest) => {
  const interval = probabilityInterval(events, trials);
  expect(interval[0]).toBeCloseTo(least, 4);
  expect(interval[1]).toBeCloseTo(greatest, 3);
});

test('the share that was seen is always inside, and more trials never widen', () => {
  const sample = fc
    .integer({ min: 1, max: 500 })
    .chain((trials) => fc.tuple(fc.integer({ min: 0, max: trials }), fc.constant(trials)));
  fc.assert(
    fc.property(sample, ([events, trials]) => {
      const [least, greatest] = probabilityInterval(events, trials);
      const [closer, nearer] = probabilityInterval(events * 4, trials * 4);
      const share = events / trials;
      return (
        least <= share && share <= greatest && closer >= least - 1e-9 && nearer <= greatest + 1e-9
      );
    }),
    { numRuns: 200 },
  );
});
