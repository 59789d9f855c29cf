/** Long because each row is one way in which a build may be executed. */

import { describe, expect, test } from 'vitest';
import { addressKey, NATIVE_TOKEN } from '../../../wire/addresses.ts';
import { outcomeOf, type RunName } from './attempt.ts';
import { judgeAttempt } from './promises.ts';
import type { SimulatedBuild } from './build.ts';
import type { Did, Runs } from './simulation.testkit.ts';
import {
  ACCOUNT,
  brokenBy,
  BUILD,
  DEST,
  FAILS,
  HONEST,
  judged,
  OTHER,
  RECIPIENT,
  ROUTER,
  simulated,
  SOURCE,
  withGrown,
} from './simulation.testkit.ts';

const arrives = (amount: bigint, rest: Did = {}): Did =>
  withGrown({ [`${DEST} ${RECIPIENT}`]: amount }, rest);

const NATIVE = addressKey(NATIVE_TOKEN);
const OF_COINS: SimulatedBuild = {
  ...BUILD,
  spendings: [{ token: NATIVE, isNative: true, amount: 1_000n, most: 1_000n, approved: 0n }],
  call: { ...BUILD.call, value: 1_000n },
};
const COINS: Did = {
  gas: 90_000n,
  grew: { [`${NATIVE} ${ACCOUNT}`]: -1_000n, [`${DEST} ${RECIPIENT}`]: 500n },
};
const TRADE: SimulatedBuild = { ...BUILD, spender: undefined };
const WITH_COINS: SimulatedBuild = { ...BUILD, call: { ...BUILD.call, value: 7n } };
const COINS_HELD = `${NATIVE} ${ACCOUNT}`;
const POSITION: SimulatedBuild = {
  ...BUILD,
  deliveries: BUILD.deliveries.map((one) => ({ ...one, isPosition: true, quoted: 1n, least: 1n })),
};
const ELSEWHERE: SimulatedBuild = { ...BUILD, deliveries: [], mayPayFees: true };

test('each false balance of a node breaks one rule, and two of them break two', () => {
  const lied = (grew: Record<string, bigint>): string[] => {
    const did = withGrown(grew);
    return Object.keys(brokenBy({ 'strict simulate': did, 'lenient simulate': did })).sort();
  };
  const recipient = { [`${DEST} ${RECIPIENT}`]: 0n };
  const account = { [`${SOURCE} ${ACCOUNT}`]: -1_500n, [`${SOURCE} ${ACCOUNT} ${ROUTER}`]: 0n };
  expect(lied(recipient)).toStrictEqual(['delivers-min-return']);
  expect(lied({ [`${DEST} ${RECIPIENT}`]: 460n })).toStrictEqual(['delivers-quoted']);
  expect(lied(account)).toStrictEqual(['spends-at-most-amount']);
  const both = ['delivers-min-return', 'spends-at-most-amount'];
  expect(lied({ ...recipient, ...account })).toStrictEqual(both);
});

describe('a build that executes as its answer says', () => {
  test.each<[string, Runs, SimulatedBuild?]>([
    ['tokens for a token', { 'strict simulate': HONEST }],
    ['without logs or gas', { 'strict batch': HONEST }],
    ['coins for a token', { 'strict simulate': COINS }, OF_COINS],
    ['half of the tolerance less than was quoted', { 'strict simulate': arrives(474n) }],
    [
      'one unit more of the source',
      { 'strict simulate': withGrown({ [`${SOURCE} ${ACCOUNT}`]: -1_001n }) },
    ],
    ['a trade, whose spender is a guess', { 'strict simulate': HONEST }, TRADE],
    [
      'coins, on a chain that takes some for gas',
      { 'strict simulate': { ...COINS, grew: { ...COINS.grew, [COINS_HELD]: -1_234n } } },
      OF_COINS,
    ],
    [
      'coins beside tokens, on the way to another chain',
      { 'strict simulate': withGrown({ [COINS_HELD]: -7n }) },
      { ...WITH_COINS, deliveries: [], mayPayFees: true },
    ],
    [
      'coins beside tokens that come back',
      { 'strict simulate': withGrown({ [COINS_HELD]: 0n }) },
      WITH_COINS,
    ],
  ])('breaks nothing: %s', (_, runs, build) => {
    expect(brokenBy(runs, build)).toStrictEqual({});
    expect(judged(runs, build).succeeds).toBe('');
  });
});

describe('a build that does something else', () => {
  test.each<[string, Runs, Record<string, string>, SimulatedBuild?]>([
    [
      'pays the account',
      {
        'strict simulate': withGrown({
          [`${DEST} ${RECIPIENT}`]: 0n,
          [`${DEST} ${ACCOUNT}`]: 500n,
        }),
      },
      { 'delivers-min-return': `450, and 0 arrived; ${ACCOUNT} got 500` },
    ],
    [
      'delivers less than is guaranteed',
      { 'strict simulate': arrives(448n), 'lenient simulate': arrives(448n) },
      { 'delivers-min-return': '450, and 448 arrived' },
    ],
    [
      'delivers what is guaranteed, but for a unit that is rounded away',
      { 'strict simulate': arrives(449n) },
      { 'delivers-quoted': '500, and 449 arrived' },
    ],
    [
      'delivers what is guaranteed, and a token takes a part of it',
      { 'strict simulate': arrives(448n), 'lenient simulate': { plain: { [DEST]: 440n } } },
      { 'delivers-quoted': '500, and 448 arrived' },
    ],
    [
      'delivers less than is guaranteed, beyond what the token takes',
      { 'strict simulate': arrives(438n), 'lenient simulate': { plain: { [DEST]: 440n } } },
      { 'delivers-min-return': '450, and 438 arrived' },
    ],
    [
      'delivers less than is guaranteed, and it is not known what the token takes',
      { 'strict simulate': arrives(448n) },
      { 'delivers-quoted': '500, and 448 arrived' },
    ],
    [
      'takes more than the token takes on top of the amount',
      {
        'strict simulate': FAILS,
        'lenient simulate': withGrown(
          { [`${SOURCE} ${ACCOUNT}`]: -1_012n, [`${SOURCE} ${ACCOUNT} ${ROUTER}`]: -1_002n },
          { plain: { [SOURCE]: 1_010n } },
        ),
      },
      { 'spends-at-most-amount': 'one that spends 1012' },
    ],
    [
      'pays somebody else what the account buys for itself',
      {
        'strict simulate': withGrown({}),
        'lenient simulate': withGrown({}),
      },
      { 'delivers-min-return': '450, and 0 arrived' },
      { ...BUILD, deliveries: BUILD.deliveries.map((one) => ({ ...one, recipient: ACCOUNT })) },
    ],
    [
      'delivers nothing of it, where no control could be tried',
      { 'strict batch': arrives(0n) },
      { 'delivers-min-return': '450, and 0 arrived' },
    ],
    [
      'delivers a small part of it, seen by eth_call alone',
      { 'strict batch': arrives(5n), 'lenient batch': arrives(5n) },
      { 'delivers-min-return': '450, and 5 arrived' },
    ],
    [
      'mints no position',
      { 'strict simulate': arrives(0n) },
      { 'delivers-min-return': 'one position, and 0 arrived' },
      POSITION,
    ],
    [
      'brings nothing to another chain',
      { 'strict simulate': { gas: 30_000n, logs: { count: 0, others: 0, moves: [] } } },
      { succeeds: 'one that takes nothing' },
      ELSEWHERE,
    ],
    [
      'takes coins beside the tokens',
      { 'strict simulate': withGrown({ [COINS_HELD]: -7n }) },
      { 'spends-no-coins-beside': 'one that spends 7' },
      WITH_COINS,
    ],
    [
      'takes a quarter more',
      {
        'strict simulate': FAILS,
        'lenient simulate': withGrown({
          [`${SOURCE} ${ACCOUNT}`]: -1_250n,
          [`${SOURCE} ${ACCOUNT} ${ROUTER}`]: -1_250n,
        }),
      },
      { 'spends-at-most-amount': 'one that spends 1250' },
    ],
    [
      'names another spender',
      { 'strict simulate': FAILS, 'lenient simulate': HONEST },
      { 'spender-is-approved': OTHER },
      { ...BUILD, spender: OTHER },
    ],
    [
      'sends too few coins',
      { 'strict simulate': FAILS, 'lenient simulate': COINS },
      { 'value-suffices': '999' },
      { ...OF_COINS, call: { ...OF_COINS.call, value: 999n } },
    ],
    [
      'fails in both ways',
      { 'strict simulate': FAILS, 'lenient simulate': FAILS, 'lenient batch': FAILS },
      { succeeds: 'one that fails: execution reverted' },
    ],
    [
      'fails in both ways, whatever another contract may pull',
      { 'strict simulate': FAILS, 'lenient simulate': FAILS, 'lenient batch': FAILS },
      { succeeds: 'one that fails: execution reverted' },
      { ...BUILD, spender: OTHER },
    ],
  ])('breaks one promise: it %s', (_, runs, broken, build) => {
    expect(brokenBy(runs, build)).toStrictEqual(broken);
  });
});

describe('what is not known breaks nothing', () => {
  test.each<[string, Runs, SimulatedBuild?]>([
    ['no simulation', {}],
    [
      'it fails in one way, and the other was not tried',
      { 'strict simulate': FAILS, 'lenient simulate': FAILS },
    ],
    [
      'the two ways disagree',
      { 'strict simulate': FAILS, 'lenient simulate': FAILS, 'lenient batch': HONEST },
    ],
    ['it fails in the second way alone', { 'strict batch': FAILS, 'lenient batch': FAILS }],
    [
      'the account did not get what it was to spend',
      { 'strict simulate': { ...HONEST, funds: 999n } },
    ],
    [
      'a trade fails, whose spender is a guess',
      { 'strict simulate': FAILS, 'lenient simulate': FAILS, 'lenient batch': FAILS },
      TRADE,
    ],
    [
      'it fails, and its spender may want a signature',
      {
        'strict simulate': FAILS,
        'lenient simulate': { ...FAILS, takesSignatures: true },
        'lenient batch': { ...FAILS, takesSignatures: true },
      },
      { ...BUILD, spender: OTHER },
    ],
    [
      'it fails, and the account cannot send the token otherwise either',
      {
        'strict simulate': FAILS,
        'lenient simulate': { ...FAILS, plain: { [SOURCE]: 'fails' } },
        'lenient batch': { ...FAILS, plain: { [SOURCE]: 'fails' } },
      },
    ],
    [
      'it fails, and the recipient cannot be sent the token otherwise either',
      {
        'strict simulate': FAILS,
        'lenient simulate': { ...FAILS, plain: { [DEST]: 'fails' } },
        'lenient batch': FAILS,
      },
    ],
    [
      'it fails, and a plain transfer that succeeds moves nothing',
      {
        'strict simulate': FAILS,
        'lenient simulate': FAILS,
        'lenient batch': { ...FAILS, plain: { [SOURCE]: 0n } },
      },
    ],
    [
      'it fails, and no control could be tried',
      {
        'strict simulate': FAILS,
        'lenient simulate': { ...FAILS, plain: { [DEST]: 'no funds' } },
        'lenient batch': FAILS,
      },
    ],
    [
      'it fails, and with more of everything it does not',
      { 'strict simulate': FAILS, 'lenient simulate': HONEST },
    ],
  ])('%s', (_, runs, build) => {
    expect(brokenBy(runs, build)).toStrictEqual({});
    // What no node has executed as it was to be is not open, but out of reach.
    const isExecuted = (runs['strict simulate'] ?? runs['strict batch'])?.fails === true;
    expect(judged(runs, build).succeeds).toBe(isExecuted ? 'inconclusive' : null);
  });

  test('what was sent is not what the build asks for', () => {
    const simulation = simulated({ ...BUILD, account: OTHER }, 'strict simulate', arrives(0n));
    const simulations = new Map([['strict simulate' as const, simulation]]);
    const all = Object.values(judgeAttempt({ build: BUILD, simulations }));
    expect(all.every((judgement) => judgement === null)).toBe(true);
  });

  test.each<[string, Did]>([
    ['what the token takes on top of the amount', { plain: { [SOURCE]: 1_010n } }],
    ['what cannot be compared with a plain transfer', { plain: { [SOURCE]: 'fails' } }],
  ])('more leaves the account, and it is not said who took it: %s', (_, lenient) => {
    const taken = withGrown({
      [`${SOURCE} ${ACCOUNT}`]: -1_010n,
      [`${SOURCE} ${ACCOUNT} ${ROUTER}`]: 0n,
    });
    const all = judged({ 'strict simulate': taken, 'lenient simulate': { ...taken, ...lenient } });
    expect(all['spends-at-most-amount']).toBeNull();
    expect(all.succeeds).toBe('');
  });

  test('more leaves the account than its spender was let to take, as of a token that rounds each transfer', () => {
    const taken = withGrown({ [`${SOURCE} ${ACCOUNT}`]: -1_004n });
    expect(judged({ 'strict simulate': taken })['spends-at-most-amount']).toBe('');
  });

  test('nothing arrives, and the recipient cannot be sent the token otherwise either', () => {
    const runs = {
      'strict simulate': arrives(0n),
      'lenient simulate': arrives(0n, { plain: { [DEST]: 0n } }),
    };
    expect(judged(runs)['delivers-min-return']).toBeNull();
  });

  test('a node refuses each request as one of too little gas', () => {
    const none = (name: RunName): ReturnType<typeof simulated> => ({
      ...simulated(BUILD, name, {}),
      results: [],
    });
    const strict = ['strict simulate', none('strict simulate')] as const;
    const lenient = ['lenient simulate', none('lenient simulate')] as const;
    const outcome = (...runs: readonly (readonly [RunName, ReturnType<typeof simulated>])[]) =>
      outcomeOf({ build: BUILD, simulations: new Map(runs) }).strict;
    expect(outcome(strict)).toBe('not known');
    expect(outcome(strict, lenient)).toBe('not known');
    const answered = ['lenient simulate', simulated(BUILD, 'lenient simulate', HONEST)] as const;
    expect(outcome(strict, answered)).toBe('failed');
    const batch = ['strict batch', simulated(BUILD, 'strict batch', HONEST)] as const;
    expect(outcome(strict, lenient, batch)).toBe('succeeded');
  });
});
