import { describe, expect, test } from 'vitest';
import type { WireSketch } from '../../../judging/verdicts.testkit.ts';
import { verdictOf } from '../../../judging/verdicts.testkit.ts';
import { answerOf, assetOf, entryOf, requestOf, stepOf } from '../readings/zap-route.testkit.ts';

const ZAP = 'zap.amount-out.something-for-something';
const TRADE = 'trade.summary.something-for-something';

/** A quote whose last step yields so much, in an asset that is changed. */
function quote(
  asked: string,
  amount: string,
  change: object = {},
  amountOut: string = amount,
): WireSketch {
  const name = asked.split(' to ')[1] ?? '';
  const [source = ''] = asked.split(' to ');
  const output = entryOf(`${amount}>0 ${name}`, { asset: assetOf(name, change) });
  const step = stepOf(`swap one: ${source} -> `, { output: [output] });
  return {
    ...{ method: 'POST', path: '/v1/quote', sent: requestOf(asked) },
    answered: answerOf(amountOut, [step]),
  };
}

const SERVED = quote('9000000 DLR to EUR', '8000000');

// A DLR is worth 2 USD, and has 6 decimals.
describe('a zap that yields nothing', () => {
  test.each<[string, WireSketch[], string]>([
    ['something', [SERVED], 'pass'],
    [
      'nothing for 18 USD',
      [quote('9000000 DLR to EUR', '0')],
      'fail /data/amountOut /data/path/0/output/0/amount',
    ],
    [
      'nothing across',
      [quote('9000000 DLR to EUR@10', '0', {}, '5')],
      'fail /data/path/0/output/0/amount',
    ],
    ['nothing for half a USD', [quote('250000 DLR to EUR', '0')], 'not-reached'],
    ['a position', [quote('9000000 DLR to LP', '0', { type: 'ERC721' })], 'not-reached'],
    [
      'less than a unit of 5 USD',
      [quote('1000000 DLR to EUR', '0', { decimals: 0, price: '5' })],
      'not-reached',
    ],
    [
      'nothing, without a path, of what was priced before',
      [SERVED, { ...SERVED, answered: answerOf('0', []) }],
      'fail /data/amountOut',
    ],
    [
      'nothing, of what was never priced',
      [{ ...SERVED, answered: answerOf('0', []) }],
      'not-reached',
    ],
  ])('%s: %s', (_, sketches, verdict) => {
    expect(verdictOf(ZAP, ...sketches)).toBe(verdict);
  });
});

/** A build of DLR for EUR that is quoted so much. */
function build(amount: string, destAmount: string): WireSketch {
  const [source, destination] = [assetOf('DLR'), assetOf('EUR')].map(({ address }) =>
    String(address),
  );
  const entry = { srcToken: source, destToken: destination, toChain: 1, amount, slippage: 1 };
  const quotes = { [`1_${source}-1_${destination}`]: { destAmount, minDestAmount: '0' } };
  return {
    ...{ api: 'trade', method: 'POST', path: '/v1/buildTx' },
    sent: { fromChain: 1, data: [entry] },
    answered: { status: 'success', quotes },
  };
}

test.each<[string, WireSketch[], string]>([
  ['something', [SERVED, build('9000000', '8000000')], 'pass'],
  ['nothing for 18 USD', [SERVED, build('9000000', '0')], 'fail'],
  ['nothing for half a USD', [SERVED, build('250000', '0')], 'not-reached'],
  ['nothing, without prices', [build('9000000', '0')], 'not-reached'],
])('a build that quotes %s', (_, sketches, verdict) => {
  expect(verdictOf(TRADE, ...sketches).split(' ')[0]).toBe(verdict);
});
