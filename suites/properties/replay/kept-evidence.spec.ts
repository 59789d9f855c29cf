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
  // Once, and not in three tries: the tries say that it is seldom, and no more.
  [{ broken: 1, judged: 4 }, 397],
  [{ broken: 2, judged: 4 }, 32],
  [{ broken: 3, judged: 4 }, 11],
  [{ broken: 1, judged: 200 }, 19_800],
])('a fault of the rate %j is missed in 1 of 100 at most', (rate, times) => {
  expect(sendingsFor(rate)).toBe(times);
});

test('a rate that few requests show is missed in 1 of 100 at most, whatever it is', () => {
  const [tries, steps] = [3, 2_000];
  for (let again = 0; again < tries; again += 1) {
    const sendings = sendingsFor({ broken: 1 + again, judged: 1 + tries });
    let [shown, missed] = [0, 0];
    for (let step = 0; step < steps; step += 1) {
      const rate = (step + 0.5) / steps;
      const weight = rate ** again * (1 - rate) ** (tries - again);
      shown += weight;
      missed += weight * (1 - rate) ** sendings;
    }
    expect(missed / shown).toBeLessThanOrEqual(0.0101);
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
