import { expect, test } from 'vitest';
import { exchangeOf, type ExchangeSketch } from '../../../contracts/judging/exchange.testkit.ts';
import { exchangeRule } from '../../../contracts/judging/rule.ts';
import { loadContract } from '../../../contracts/service/load-contract.ts';
import { isKept } from './kept-evidence.ts';

const contract = await loadContract();
const RULE = exchangeRule({
  ...({ id: 'zap.test', level: 'must', source: 'card', protects: 'Nothing.' } as const),
  ...({ api: 'zap', operations: '*', answer: 'answered', leastEvidence: 1 } as const),
  judge: ({ text }) =>
    text.includes('bad') ? [{ pointer: '', expected: 'good', actual: 'bad' }] : [],
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
