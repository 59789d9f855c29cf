import { expect, test } from 'vitest';
import { exchangeOf } from './exchange.testkit.ts';
import { memoOf, View } from './view.ts';

test('a memo is computed once for each view, also where it comes to nothing', () => {
  let computed = 0;
  const something = memoOf(({ status }) => ({ status, at: (computed += 1) }));
  const nothing = memoOf(() => {
    computed += 1;
    return null;
  });
  const [one, other] = [new View(exchangeOf(), undefined), new View(exchangeOf(), undefined)];
  expect(one.get(something)).toBe(one.get(something));
  expect([one.get(nothing), one.get(nothing)]).toEqual([null, null]);
  expect(computed).toBe(2);
  expect(other.get(something)).toEqual({ status: 200, at: 3 });
});
