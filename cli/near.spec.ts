import { expect, test } from 'vitest';
import { didYouMean, nearestTo } from './near.ts';

const KNOWN = ['zap.quote.no-steps', 'zap.quote.served', 'trade.quotes.served', 'ai.reachable'];

test.each([
  ['zap.quote.no-step', ['zap.quote.no-steps']],
  ['zap.qoute.served', ['zap.quote.served', 'trade.quotes.served']],
  ['quote', ['zap.quote.no-steps', 'zap.quote.served', 'trade.quotes.served']],
  ['reach', ['ai.reachable']],
  ['pools', []],
  ['', []],
])('near %s', (typed, near) => {
  expect(nearestTo(typed, KNOWN)).toEqual(expect.arrayContaining(near.slice(0, 1)));
  if (near.length === 0) expect(nearestTo(typed, KNOWN)).toEqual([]);
});

test('the closest comes first, and no more than five', () => {
  expect(nearestTo('zap.quote.servd', KNOWN)[0]).toBe('zap.quote.served');
  const many = Array.from({ length: 9 }, (_, index) => `rule-${index}`);
  expect(nearestTo('rule', many)).toHaveLength(5);
});

test('nothing is suggested if nothing is near', () => {
  expect(didYouMean('xxxxxxxx', KNOWN)).toBe('');
  expect(didYouMean('ai.reachabel', KNOWN)).toBe(' Did you mean ai.reachable?');
});
