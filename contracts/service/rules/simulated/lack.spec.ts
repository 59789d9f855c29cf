import { describe, expect, test } from 'vitest';
import type { SimulatedBuild } from './build.ts';
import type { Did, Runs } from './simulation.testkit.ts';
import {
  ACCOUNT,
  brokenBy,
  BUILD,
  FAILS,
  HONEST,
  judged,
  OTHER,
  ROUTER,
  SOURCE,
  withGrown,
} from './simulation.testkit.ts';

const TRADE: SimulatedBuild = { ...BUILD, spender: undefined };
const SPENT = `${SOURCE} ${ACCOUNT}`;
const takes = (spent: bigint, counted = spent, rest: Did = {}): Did =>
  withGrown({ [SPENT]: -spent, [`${SPENT} ${ROUTER}`]: -counted }, rest);
/** As the answer says it fails in both ways. */
const AS_IT_SAYS: Runs = { 'strict simulate': FAILS, 'strict batch': FAILS };
const OUT_OF_GAS: Did = { fails: true, gas: 200_000n };

describe('a build that fails as its answer says, and succeeds with more', () => {
  test.each<[string, Runs, Record<string, string>, SimulatedBuild?]>([
    [
      'wants more approved than it takes',
      { ...AS_IT_SAYS, 'lenient simulate': HONEST },
      {
        succeeds:
          'one that fails: execution reverted; with more approved than the document and the answer say it succeeds',
      },
    ],
    [
      'wants more approved than it takes, in a trade',
      { ...AS_IT_SAYS, 'lenient simulate': HONEST },
      {
        succeeds:
          'one that fails: execution reverted; with more approved than the document and the answer say it succeeds',
      },
      TRADE,
    ],
    [
      'takes a unit more than is approved',
      { ...AS_IT_SAYS, 'lenient simulate': takes(1_001n) },
      {
        succeeds:
          'one that fails: execution reverted; with more than the amount approved it succeeds',
        'spends-at-most-amount': 'one that spends 1001',
      },
    ],
    [
      'names another spender',
      { ...AS_IT_SAYS, 'lenient simulate': HONEST },
      {
        succeeds: 'one that fails: execution reverted; with another spender approved it succeeds',
        'spender-is-approved': OTHER,
      },
      { ...BUILD, spender: OTHER },
    ],
    [
      'states too little gas, which a node gives back in part',
      {
        'strict simulate': OUT_OF_GAS,
        'strict batch': HONEST,
        'lenient simulate': { ...HONEST, gas: 190_000n },
        'stated-gas simulate': OUT_OF_GAS,
      },
      {
        succeeds: 'one that fails: execution reverted; with more gas it succeeds',
        'gas-suffices': '200000',
      },
    ],
    [
      'states too little gas for a contract that looks how much is left',
      {
        'strict simulate': FAILS,
        'strict batch': HONEST,
        'lenient simulate': HONEST,
        'stated-gas simulate': { fails: true, gas: 30_000n },
      },
      {
        succeeds: 'one that fails: execution reverted; with more gas it succeeds',
        'gas-suffices': '200000',
      },
    ],
  ])('breaks promises: it %s', (_, runs, broken, build) => {
    expect(brokenBy(runs, build)).toStrictEqual(broken);
    expect(judged(runs, build)['delivers-min-return']).toBeNull();
  });

  test.each<[string, Runs, SimulatedBuild?]>([
    ['it fails in one way alone', { 'strict simulate': FAILS, 'lenient simulate': HONEST }],
    [
      'the two ways disagree',
      { 'strict simulate': FAILS, 'strict batch': HONEST, 'lenient simulate': HONEST },
    ],
    [
      'with the gas that is stated it succeeds, as a node may say at times',
      {
        'strict simulate': FAILS,
        'strict batch': HONEST,
        'lenient simulate': HONEST,
        'stated-gas simulate': HONEST,
      },
    ],
    [
      'with the gas that is stated it reverts before that is used up, and no other way was answered',
      {
        'strict simulate': FAILS,
        'lenient simulate': HONEST,
        'stated-gas simulate': { fails: true, gas: 90_000n },
      },
    ],
    [
      'the token counts what it takes on top against the allowance',
      {
        ...AS_IT_SAYS,
        'lenient simulate': takes(1_010n, 1_010n, { plain: { [SOURCE]: 1_010n } }),
      },
    ],
    [
      'a trade takes nothing of the allowance of whom it calls',
      { ...AS_IT_SAYS, 'lenient simulate': takes(1_000n, 0n) },
      TRADE,
    ],
  ])('breaks none: %s', (_, runs, build) => {
    expect(brokenBy(runs, build)).toStrictEqual({});
    const isOfToken = runs['lenient simulate']?.plain !== undefined;
    expect(judged(runs, build).succeeds).toBe(isOfToken ? null : 'inconclusive');
  });
});
