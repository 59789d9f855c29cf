import { expect, test } from 'vitest';
import { exchangeOf, type ExchangeSketch } from '../../../contracts/judging/exchange.testkit.ts';
import { exchangeRule } from '../../../contracts/judging/rule.ts';
import { loadContract } from '../../../contracts/service/load-contract.ts';
import { isKept, sendingsFor } from './kept-evidence.ts';

const contract = await loadContract();
const RULE = exchangeRule({
  ...({ id: 'zap.test', level: 'must', source: 'card', protects: 'Nothing.' } as const),
  ...({ api: 'zap', operations: '*', answer: 'answered', leastEvidence: 1 } as const),
  judge: ({ text }) =>
    text.includes('bad') ? [{ pointer: '', expected: 'good', actual: 'bad' }] : [],
});

test.each([
  [undefined, 1],
  [{ broken: 3, judged: 3 }, 1],
  [{ broken: 1, judged: 2 }, 7],
  [{ broken: 1, judged: 200 }, 919],
])('a fault of the rate %j is missed in 1 of 100 at most', (rate, times) => {
  expect(sendingsFor(rate)).toBe(times);
  if (rate !== undefined && rate.broken < rate.judged) {
    const missed = (sendings: number): number => (1 - rate.broken / rate.judged) ** sendings;
    expect(missed(times)).toBeLessThanOrEqual(0.01);
    expect(missed(times - 1)).toBeGreaterThan(0.01);
  }
});

test.each<[ExchangeSketch, boolean]>([
  [{ answered: 'good' }, true],
  [{ status: 400, answered: 'good' }, true],
  [{ answered: 'bad' }, false],
  [{ status: 503, answered: 'good' }, false],
  [{ status: 429, answered: 'good' }, false],
  [{ failure: 'timeout' }, false],
])('%j is answered as its rule wants to see it: %s', (sketch, kept) => {
  expect(isKept({ contract }, RULE, [exchangeOf(sketch)])).toBe(kept);
});

test('nothing that was sent keeps no rule', () => {
  expect(isKept({ contract }, RULE, [])).toBe(false);
});
