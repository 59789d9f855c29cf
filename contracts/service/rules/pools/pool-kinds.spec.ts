import { expect, test } from 'vitest';
import type { WireSketch } from '../../../judging/verdicts.testkit.ts';
import { resultsOf } from '../../../judging/verdicts.testkit.ts';

const ID = 'zap.pool-details.each-holds-tokens-and-liquidity';

/** Details of a pool by its number. */
function details(pool: number, data: object): WireSketch {
  return {
    ...{ method: 'POST', path: '/v1/pool/details' },
    sent: { chainId: 1, poolAddress: `0x${String(pool).padStart(40, '0')}` },
    answered: { status: 'success', data },
  };
}

const FULL = { tokens: [], liquidity: '1' };
const RICH = {
  ...{ tokens: [{ reserve: '1' }], tvl: '2', liquidity: '1', liquidityUsd: '2', tick: 3 },
  recentTrades: [{ tokenIn: `0x${'5a'.repeat(20)}` }],
};
/** Details without some of their members; those that are said of liquidity go together. */
const without = (...names: readonly (keyof typeof RICH)[]): object => {
  const gone: readonly string[] = names.includes('liquidity') ? [...names, 'liquidityUsd'] : names;
  return Object.fromEntries(Object.entries(RICH).filter(([name]) => !gone.includes(name)));
};
const times = (count: number, data: object): WireSketch[] =>
  Array.from({ length: count }, (_, index) => details(index + 1, data));

test.each<[string, WireSketch[], string, number]>([
  ['all have both', times(6, FULL), 'pass', 0],
  ['five have both, and are too few', times(5, { liquidity: '1' }), 'not-reached', 0],
  ['one of six has no liquidity', [...times(5, FULL), details(6, { coins: [] })], 'fail', 1],
  [
    'one has reserves in place of it',
    [...times(5, FULL), details(6, { pair: 1, reserves: 2 })],
    'pass',
    0,
  ],
  ['one has trades of tokens alone', [...times(5, RICH), details(6, without('tokens'))], 'fail', 1],
  [
    'one has no tokens in its list',
    [...times(5, RICH), details(6, { ...RICH, tokens: [] })],
    'fail',
    1,
  ],
  [
    'one has a value locked alone',
    [...times(5, RICH), details(6, without('liquidity'))],
    'fail',
    1,
  ],
  [
    'one has no optional figure',
    [...times(5, RICH), details(6, without('liquidityUsd'))],
    'pass',
    0,
  ],
  [
    'one is of another kind',
    [...times(5, RICH), details(6, { ...without('liquidity', 'liquidityUsd', 'tick') })],
    'pass',
    0,
  ],
  ['none has tokens', times(6, { depth: '1' }), 'fail', 1],
  [
    'some have tokens, and too few of them to say so',
    [...times(3, FULL), ...[4, 5, 6].map((pool) => details(pool, { depth: '1' }))],
    'pass',
    0,
  ],
])('of six pools %s: %s', (_, sketches, verdict, findings) => {
  const [result] = resultsOf(ID, ...sketches);
  expect([result?.verdict, result?.findings.length]).toEqual([verdict, findings]);
});
