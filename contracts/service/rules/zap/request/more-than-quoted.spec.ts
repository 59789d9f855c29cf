import { expect, test } from 'vitest';
import { verdictOf, type WireSketch } from '../../../../judging/verdicts.testkit.ts';
import { answerOf, requestOf } from '../../readings/zap-route.testkit.ts';

/** A quote in the role A, or its build in the role B, that yields so much. */
function said(role: 'A' | 'B', amount: string): WireSketch {
  return {
    ...{ method: 'POST', path: role === 'A' ? '/v1/quote' : '/v1/buildTx' },
    sent: requestOf('9000000 DLR to EUR'),
    answered: answerOf(amount, [`swap one: 9000000 DLR -> ${amount}>1 EUR`]),
    relations: [{ kind: 'quote-build', group: 'g', role }],
  };
}

// An EUR has 6 decimals: a cent of it is 10,000 units.
test.each([
  ['as much', '8000000', '8000000', 'pass'],
  ['less, which is another rule', '8000000', '7000000', 'pass'],
  ['a percent more', '8000000', '8080000', 'warn /data/amountOut'],
  ['half a thousandth more', '8000400', '8004400', 'pass'],
  ['what the quote cuts to cents', '8000000', '8006543', 'warn /data/amountOut'],
  ['a unit more than whole cents', '8000000', '8000001', 'pass'],
])('a build yields %s', (_, quoted, built, verdict) => {
  const sketches = Array.from({ length: 7 }, () => [said('A', quoted), said('B', built)]).flat();
  expect(verdictOf('zap.quote-build.no-more-than-quoted', ...sketches)).toBe(verdict);
});
