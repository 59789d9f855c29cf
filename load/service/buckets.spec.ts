import { expect, test } from 'vitest';
import { bucketsOf } from './buckets.ts';

test('no key is sent to zap, and it is asked of from trade alone', () => {
  const credential = { bearer: 'k', public: true };
  const buckets = bucketsOf({ apis: ['zap', 'trade'], keys: [{ name: 'K', credential }] });
  expect(buckets.map(({ api, client }) => [api, client])).toEqual([
    ['zap', 'address'],
    ['trade', 'address'],
    ['trade', 'key'],
  ]);
  const asks = buckets.flatMap(({ variations, plain }) => [
    plain,
    ...variations.map(({ ask }) => ask(0)),
  ]);
  expect(asks.filter(({ api }) => api === 'zap').every((ask) => ask.credential === undefined)).toBe(
    true,
  );
  const other = buckets.map(({ variations }) =>
    variations.some(({ kind }) => kind === 'other-api'),
  );
  expect(other).toEqual([false, true, false]);
});
