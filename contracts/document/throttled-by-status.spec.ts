import { expect, test } from 'vitest';
import { exchangeOf } from '../judging/exchange.testkit.ts';
import { NO_CONTRACT } from '../judging/no-contract.testkit.ts';
import { View } from '../judging/view.ts';
import { throttledByStatus } from './throttled-by-status.ts';

test('answers of the statuses that a user names are throttled as well', () => {
  const throttledBy = (...statuses: readonly number[]): boolean[] =>
    [403, 429, 502, 503].map((status) => {
      const contract = throttledByStatus(NO_CONTRACT, statuses);
      return new View(exchangeOf({ status }), contract).throttled;
    });
  expect(throttledBy(403, 503)).toEqual([true, true, false, true]);
  expect(throttledBy()).toEqual([false, true, false, false]);
});
