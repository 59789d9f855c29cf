import { expect, test } from 'vitest';
import { Coverage } from './coverage.ts';

const DEVIATIONS = [
  { name: 'amount', listed: 3, usual: 0, open: true },
  { name: 'slippage', listed: 40, usual: 3 },
  { name: 'route', listed: 2, usual: 2 },
];

test('combinations are counted once, whatever else a request has', () => {
  const coverage = new Coverage();
  const features = coverage.featuresOf(DEVIATIONS, { amount: 0, slippage: 1, route: 1 });
  expect(coverage.newIn(features)).toEqual({ single: 3, pairs: 3, triples: 1 });
  coverage.add(features);
  expect(coverage.newIn(features)).toEqual({ single: 0, pairs: 0, triples: 0 });
  const other = coverage.featuresOf(DEVIATIONS, { amount: 0, slippage: 2, route: 1 });
  expect(coverage.newIn(other)).toEqual({ single: 1, pairs: 2, triples: 1 });
  coverage.add(other);
  expect(coverage.combinations).toEqual({ single: 4, pairs: 5, triples: 2 });
});

test('choices beyond the listed ones are one feature, and so are those of about one size', () => {
  const coverage = new Coverage();
  const features = (choices: Record<string, number>): number[] =>
    coverage.featuresOf(DEVIATIONS, choices);
  expect(features({ amount: 17 })).toEqual(features({ amount: 2_000_000_000 }));
  expect(features({ amount: 2 })).not.toEqual(features({ amount: 3 }));
  expect(features({ slippage: 35 })).toEqual(features({ slippage: 39 }));
  expect(features({ slippage: 14 })).not.toEqual(features({ slippage: 15 }));
  expect(features({ route: 0 })).not.toEqual(
    coverage.featuresOf(DEVIATIONS, { route: 0 }, 'no body'),
  );
});

test('features are the same in whatever order their choices were made', () => {
  const coverage = new Coverage();
  const features = coverage.featuresOf(DEVIATIONS, { amount: 0, slippage: 1, route: 1 });
  expect(coverage.featuresOf(DEVIATIONS, { route: 1, slippage: 1, amount: 0 })).toEqual(features);
});

test('from sixteen on choices of about one size are one feature', () => {
  const coverage = new Coverage();
  const [sixteen, more] = [16, 31].map((slippage) => coverage.featuresOf(DEVIATIONS, { slippage }));
  expect(sixteen).toEqual(more);
});
