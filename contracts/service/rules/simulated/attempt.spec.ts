/** Long because each row is one way in which a build may be executed. */

import { describe, expect, test } from 'vitest';
import { addressKey, NATIVE_TOKEN } from '../../../wire/addresses.ts';
import type { RunName } from './attempt.ts';
import type { SimulatedPromise } from './promises.ts';
import { judgeAttempt } from './promises.ts';
import type { SimulatedBuild } from './build.ts';
import type { Did } from './simulation.testkit.ts';
import {
  ACCOUNT,
  BUILD,
  DEST,
  HONEST,
  OTHER,
  RECIPIENT,
  ROUTER,
  simulated,
  SOURCE,
} from './simulation.testkit.ts';

const FAILS: Did = { fails: true };
type Runs = Partial<Record<RunName, Did>>;

function judged(
  runs: Runs,
  build: SimulatedBuild = BUILD,
): Record<SimulatedPromise, string | null> {
  const simulations = new Map(
    (Object.entries(runs) as [RunName, Did][]).map(([name, did]) => [
      name,
      simulated(build, name, did),
    ]),
  );
  const all = Object.entries(judgeAttempt({ build, simulations }));
  return Object.fromEntries(
    all.map(([promise, judgement]) => [
      promise,
      judgement === null ? null : judgement.map(({ actual }) => actual).join(),
    ]),
  ) as Record<SimulatedPromise, string | null>;
}

/** The promises that are broken, with what was there. */
function brokenBy(runs: Runs, build?: SimulatedBuild): Record<string, string> {
  const all = Object.entries(judged(runs, build));
  return Object.fromEntries(
    all.filter((entry): entry is [string, string] => (entry[1] ?? '') !== ''),
  );
}

const withGrown = (grew: Record<string, bigint>, rest: Did = {}): Did => ({
  ...HONEST,
  ...rest,
  grew: { ...HONEST.grew, ...grew },
});
const arrives = (amount: bigint, rest: Did = {}): Did =>
  withGrown({ [`${DEST} ${RECIPIENT}`]: amount }, rest);

const NATIVE = addressKey(NATIVE_TOKEN);
const OF_COINS: SimulatedBuild = {
  ...BUILD,
  spendings: [{ token: NATIVE, isNative: true, amount: 1_000n }],
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
  deliveries: BUILD.deliveries.map((one) => ({ ...one, quoted: 1n, least: 1n })),
};
const ELSEWHERE: SimulatedBuild = { ...BUILD, deliveries: [], mayPayFees: true };

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
      { 'delivers-min-return': `0 arrived; ${ACCOUNT} got 500` },
    ],
    [
      'delivers less than is guaranteed',
      { 'strict simulate': arrives(448n) },
      { 'delivers-min-return': '448 arrived' },
    ],
    [
      'delivers what is guaranteed, but for a unit that is rounded away',
      { 'strict simulate': arrives(449n) },
      { 'delivers-quoted': '449 arrived' },
    ],
    [
      'delivers less than is guaranteed, which the token may have taken',
      { 'strict batch': arrives(440n) },
      { 'delivers-quoted': '440 arrived' },
    ],
    [
      'delivers what is guaranteed, and a token takes a part of it',
      {
        'strict simulate': arrives(448n, {
          transfers: [{ token: DEST, to: RECIPIENT, amount: 500n }],
        }),
      },
      { 'delivers-quoted': '448 arrived' },
    ],
    [
      'delivers nothing of it, seen without logs',
      { 'strict batch': arrives(0n) },
      { 'delivers-min-return': '0 arrived' },
    ],
    [
      'delivers a small part of it, seen without logs',
      { 'strict batch': arrives(5n) },
      { 'delivers-min-return': '5 arrived' },
    ],
    [
      'mints no position',
      { 'strict simulate': arrives(0n) },
      { 'delivers-min-return': '0 arrived' },
      POSITION,
    ],
    [
      'brings nothing to another chain',
      { 'strict simulate': { gas: 30_000n } },
      { succeeds: 'it takes nothing' },
      ELSEWHERE,
    ],
    [
      'takes coins beside the tokens',
      { 'strict simulate': withGrown({ [COINS_HELD]: -7n }) },
      { 'spends-at-most-amount': '7' },
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
      { 'spends-at-most-amount': '1250' },
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
      'states too little gas',
      { 'strict simulate': FAILS, 'lenient simulate': { ...HONEST, gas: 200_001n } },
      { 'gas-suffices': '200000' },
    ],
    [
      'fails in both ways',
      { 'strict simulate': FAILS, 'lenient simulate': FAILS, 'lenient batch': FAILS },
      { succeeds: 'it fails: execution reverted' },
    ],
    [
      'fails in both ways, whatever another contract may pull',
      { 'strict simulate': FAILS, 'lenient simulate': FAILS, 'lenient batch': FAILS },
      { succeeds: 'it fails: execution reverted' },
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
      'it fails, and with more of everything it does not',
      { 'strict simulate': FAILS, 'lenient simulate': HONEST },
    ],
  ])('%s', (_, runs, build) => {
    expect(brokenBy(runs, build)).toStrictEqual({});
    expect(judged(runs, build).succeeds).toBeNull();
  });

  test('what was sent is not what the build asks for', () => {
    const simulation = simulated({ ...BUILD, account: OTHER }, 'strict simulate', arrives(0n));
    const simulations = new Map([['strict simulate' as const, simulation]]);
    const all = Object.values(judgeAttempt({ build: BUILD, simulations }));
    expect(all.every((judgement) => judgement === null)).toBe(true);
  });
});
