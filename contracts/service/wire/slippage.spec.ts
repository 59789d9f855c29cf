import { expect, test } from 'vitest';
import { leastReturn } from './slippage.ts';

test.each([
  [1000n, 1, 990n],
  [1000n, 0, 1000n],
  [1000n, 100, 0n],
  [1001n, 0.3, 997n],
  [10n ** 30n, 0.3, 997n * 10n ** 27n],
  [10n ** 20n, 1e-7, 10n ** 20n - 10n ** 11n],
  [5n, 1e-300, 5n],
])('%d less %d %% is %d', (amount, slippage, least) => {
  expect(leastReturn(amount, slippage)).toBe(least);
});

test.each([-1, 100.1, Number.NaN, Number.POSITIVE_INFINITY])('%d is no tolerance', (slippage) => {
  expect(leastReturn(1000n, slippage)).toBeUndefined();
});
