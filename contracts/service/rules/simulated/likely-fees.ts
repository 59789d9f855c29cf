/** Native coins that a transaction may take as fees which its answer does not state. */

import { leavingOf, type SimulatedBuild } from './build.ts';
import { MOST_GAS } from './plan.ts';

/** Of an amount of coins: half of it. */
const OF_AMOUNT = { times: 1n, of: 2n } as const;
/** Beside it a keeper may be paid for as much as the largest transactions cost. */
const KEPT_TRANSACTIONS = 3n;
/** Base units; an amount may be next to nothing. */
const LEAST = 10n ** 15n;
/** Beside tokens nothing says what coins are worth: a whole one, and the gas of many blocks. */
const BESIDE_TOKENS = { coins: 10n ** 18n, gas: 1_000_000_000n } as const;

const greatest = (first: bigint, ...others: bigint[]): bigint =>
  others.reduce((one, other) => (one > other ? one : other), first);

/**
 * So many at most, beyond those that are stated; undefined if nothing bounds them, as what others do on another chain.
 *
 * @param baseFee of a unit of gas in the block before, if its node says so
 */
export function mostUnstated(
  build: SimulatedBuild,
  baseFee: bigint | undefined,
): bigint | undefined {
  if (build.mayPayFees) return undefined;
  const amount = leavingOf(build).find(({ isNative }) => isNative)?.amount ?? 0n;
  if (amount > 0n) {
    const share = (amount * OF_AMOUNT.times) / OF_AMOUNT.of;
    return greatest(share, KEPT_TRANSACTIONS * MOST_GAS * (baseFee ?? 0n), LEAST);
  }
  if (baseFee === undefined) return undefined;
  return greatest(BESIDE_TOKENS.coins, BESIDE_TOKENS.gas * baseFee);
}
