import { expect, test } from 'vitest';
import type { WireSketch } from '../../../judging/verdicts.testkit.ts';
import { verdictOf } from '../../../judging/verdicts.testkit.ts';

const [X, Y] = ['a', 'b'].map((digit) => `0x${digit.repeat(40)}`);

/** A build of one pair by a protocol, and who is named in its summary. */
function build(protocol: string, provider: string, amount = '1'): WireSketch {
  return {
    ...{ api: 'trade', method: 'POST', path: '/v1/buildTx' },
    sent: {
      ...{ fromChain: 1, gasless: false },
      data: [{ srcToken: X, destToken: Y, toChain: 1, protocol, amount }],
    },
    answered: { quotes: { [`1_${X}-1_${Y}`]: { provider } } },
  };
}

const LISTED: WireSketch = {
  ...{ api: 'zap', method: 'GET', path: '/v1/config/providers' },
  answered: { data: { 1: ['p', 'q', 'r', 's'].map((id) => ({ id, type: 'dex' })) } },
};
const IN_TURN = [build('p', 'r'), build('q', 's'), build('p', 's'), build('q', 'r')];
const AT = `/quotes/1_${X}-1_${Y}/provider`;

test.each<[string, WireSketch[], string]>([
  ['each as asked', [LISTED, build('p', 'P'), build('q', 'q')], 'pass'],
  ['another one, asked for the same', [build('p', 'p'), build('p', 'us')], `warn ${AT}`],
  ['another one, asked for another amount', [build('p', 'p'), build('p', 'us', '2')], 'pass'],
  ['listed ones that nobody asked for, in turn', [LISTED, ...IN_TURN], `warn ${AT}`],
  ['such ones if nothing is listed', IN_TURN, 'not-reached'],
  ['such ones of too few builds', [LISTED, ...IN_TURN.slice(1)], 'not-reached'],
  [
    'always the same one',
    [LISTED, ...IN_TURN.map((_, at) => build(at % 2 === 0 ? 'p' : 'q', 'r'))],
    'not-reached',
  ],
  [
    'names that nothing lists',
    [LISTED, ...['p', 'q', 'p', 'q'].map((asked, at) => build(asked, `Protocol ${at}`))],
    'not-reached',
  ],
])('summaries that name %s', (_, builds, verdict) => {
  expect(verdictOf('trade.summary.provider-named-as-asked', ...builds)).toMatch(
    new RegExp(`^${verdict.replaceAll('/', '\\/')}`),
  );
});
