import { expect, test } from 'vitest';
import { addressKey, NATIVE_TOKEN } from '../../../wire/addresses.ts';
import type { SimulatedBuild } from './build.ts';
import { ACCOUNT, BUILD, HONEST, judged } from './simulation.testkit.ts';

const NATIVE = addressKey(NATIVE_TOKEN);
const COIN = 10n ** 18n;
const GWEI = 10n ** 9n;

interface Sending {
  readonly amount: bigint;
  readonly value: bigint;
  readonly stated?: bigint;
  readonly mayPayFees?: boolean;
}

/** A build of coins, or of tokens with coins beside, that sends a value. */
function sending({ amount, value, stated = 0n, mayPayFees = false }: Sending): SimulatedBuild {
  const coins = { token: NATIVE, isNative: true, amount, most: amount + stated, approved: 0n };
  return {
    ...BUILD,
    ...{ mayPayFees, statedCoins: stated },
    spendings: amount === 0n ? BUILD.spendings : [coins],
    call: { ...BUILD.call, value },
  };
}

/** What is said of a build all of whose value is kept. */
function saidOf(sent: Sending, baseFee?: bigint): string | null {
  const grew = { ...HONEST.grew, [`${NATIVE} ${ACCOUNT}`]: -sent.value };
  const runs = { 'strict simulate': { ...HONEST, grew } };
  return judged(runs, sending(sent), { madeAtSeconds: 0n, ...(baseFee && { baseFee }) })[
    'spends-at-most-amount'
  ];
}

const spent = (value: bigint): string => `${value}, which are spent`;

test.each<[string, Sending, bigint | undefined, string | null]>([
  ['half of it more', { amount: COIN, value: (3n * COIN) / 2n }, GWEI, ''],
  ['three times of it', { amount: COIN, value: 3n * COIN }, GWEI, spent(3n * COIN)],
  [
    'three times of it, as a fee states',
    { amount: COIN, value: 3n * COIN, stated: 2n * COIN },
    GWEI,
    '',
  ],
  ['what a keeper takes at 100 gwei', { amount: COIN, value: 4n * COIN }, 100n * GWEI, ''],
  ['a thousandth of a coin of next to nothing', { amount: 1n, value: 10n ** 15n }, GWEI, ''],
  [
    'five times of it, to another chain where coins may be worth more',
    { amount: COIN, value: 5n * COIN, mayPayFees: true },
    GWEI,
    null,
  ],
])('the value of a build of coins is %s', (_, sent, baseFee, said) => {
  expect(saidOf(sent, baseFee)).toBe(said);
});

test.each<[string, Sending, bigint | undefined, string | null]>([
  ['a whole coin', { amount: 0n, value: COIN }, GWEI, ''],
  ['more than a coin', { amount: 0n, value: COIN + 1n }, GWEI, spent(COIN + 1n)],
  ['coins where gas takes many', { amount: 0n, value: 30n * COIN }, 30n * GWEI, ''],
  [
    'coins of which nothing says what they are worth',
    { amount: 0n, value: 30n * COIN },
    undefined,
    '',
  ],
  ['coins, to another chain', { amount: 0n, value: 30n * COIN, mayPayFees: true }, GWEI, ''],
])('a build of tokens takes beside them %s', (_, sent, baseFee, said) => {
  expect(saidOf(sent, baseFee)).toBe(said);
});
