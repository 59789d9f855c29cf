import { expect, test } from 'vitest';
import type { WireSketch } from '../../../judging/verdicts.testkit.ts';
import { verdictOf } from '../../../judging/verdicts.testkit.ts';

const ID = 'trade.summary.provider-as-asked';
const [X, Y] = ['a', 'b'].map((digit) => `0x${digit.repeat(40)}`);

/** A build of one pair by a protocol, and who is named in its summary. */
function build(
  protocol: string,
  named: object,
  change: { toChain?: number; gasless?: boolean } = {},
): WireSketch {
  const { toChain = 1, gasless = false } = change;
  return {
    ...{ api: 'trade', method: 'POST', path: '/v1/buildTx' },
    sent: { fromChain: 1, gasless, data: [{ srcToken: X, destToken: Y, toChain, protocol }] },
    answered: { quotes: { [`1_${X}-${toChain}_${Y}`]: named } },
  };
}
const AT = `/quotes/1_${X}-1_${Y}/provider`;

test.each<[string, WireSketch[], string]>([
  ['each as asked', [build('p', { provider: 'p' }), build('q', { provider: 'Q' })], 'pass'],
  [
    'one of them always',
    [build('p', { provider: 'p' }), build('q', { provider: 'p' })],
    `fail ${AT}`,
  ],
  [
    'the service itself',
    [build('p', { provider: 'us' }), build('q', { provider: 'us' })],
    'not-reached',
  ],
  [
    'one that was never asked for',
    [build('p', { provider: 'p' }), build('q', { provider: 'r' })],
    'not-reached',
  ],
  ['one alone', [build('p', { provider: 'p' })], 'not-reached'],
  [
    'a solver of gasless builds',
    [build('p', { provider: 'p' }), build('q', { provider: 'p' }, { gasless: true })],
    'not-reached',
  ],
  [
    'the service, and the bridge besides',
    [
      build('p', { provider: 'us', additionalInfo: { bridgeProvider: 'p' } }),
      build('q', { provider: 'us', additionalInfo: { bridgeProvider: 'q' } }),
    ],
    'pass',
  ],
  [
    'a swap before the bridge that was asked for',
    [
      build('p', { provider: 'p' }),
      build(
        'q',
        { provider: 'b', additionalInfo: { bridgeProvider: 'b', srcSwapProvider: 'q' } },
        { toChain: 2 },
      ),
    ],
    'not-reached',
  ],
  [
    'a bridge where a DEX was asked to cross chains',
    [
      build('dex', { provider: 'dex' }),
      build('bridge', { provider: 'bridge' }, { toChain: 2 }),
      build('dex', { provider: 'bridge' }, { toChain: 2 }),
    ],
    'not-reached',
  ],
  [
    'a bridge where another was asked to cross chains',
    [
      build('dex', { provider: 'dex' }),
      build('bridge', { provider: 'bridge' }, { toChain: 2 }),
      build('other', { provider: 'bridge' }, { toChain: 2 }),
    ],
    `fail /quotes/1_${X}-2_${Y}/provider`,
  ],
])('a summary names %s', (_, exchanges, verdict) => {
  expect(verdictOf(ID, ...exchanges)).toBe(verdict);
});
