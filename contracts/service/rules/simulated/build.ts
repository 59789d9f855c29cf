/** What the transaction of a build is to do, by its answer and its request (document, sections 2.2 and 2.4). */

import { addressKey, NATIVE_TOKEN } from '../../../wire/addresses.ts';

/** Base units of one token that a build may spend of its account. */
export interface Spending {
  readonly token: string;
  readonly isNative: boolean;
  /** What was asked for. */
  readonly amount: bigint;
  /** The same with the fees that the answer states on top. */
  readonly most: bigint;
  /** What the answer says is to be approved, at least the amount; 0 of native coins. */
  readonly approved: bigint;
}

/** What is to arrive on the chain where the transaction is executed. */
export interface Delivery {
  readonly recipient: string;
  readonly token: string;
  readonly isNative: boolean;
  /** Whether it is a position, which is an ERC721. */
  readonly isPosition: boolean;
  /** Base units; of positions one, as one may stand in several entries. */
  readonly quoted: bigint;
  readonly least: bigint;
  /**
   * Whether the answer leaves room for it to be brought by a later transaction, as those of keepers and solvers.
   * `if nobody got it`: it states no duration. `if ordered`: less than a minute, so that whoever fills it later has to
   * learn of it by a log as well. `true`: more, for which others may hold it, as locks and queues do.
   */
  readonly mayComeLater: boolean | 'if nobody got it' | 'if ordered';
  /** JSON pointers of the two in the answer. */
  readonly quotedAt: string;
  readonly leastAt: string;
}

/** What an answer calls dust, and guarantees: some of what the route took of a token is left over. */
export interface Leftover {
  readonly token: string;
  readonly isNative: boolean;
  /** Base units. */
  readonly least: bigint;
  /** JSON pointer in the answer. */
  readonly leastAt: string;
}

/** The call that is the transaction. */
export interface BuiltCall {
  readonly to: string;
  readonly data: string;
  readonly value: bigint;
  /** Undefined where the answer states none. */
  readonly gas: bigint | undefined;
  /** JSON pointers in the answer. */
  readonly at: Readonly<Record<'call' | 'value' | 'gas' | 'spender', string>>;
}

/** A build that can be executed. Addresses are in lower case. */
export interface SimulatedBuild {
  readonly chainId: number;
  /** Who executes it. */
  readonly account: string;
  /** Each token once. */
  readonly spendings: readonly Spending[];
  /** Who is approved; undefined where the answer names nobody, so that a guess is made. */
  readonly spender: string | undefined;
  readonly call: BuiltCall;
  /** Each recipient and token once; none of what arrives on another chain. */
  readonly deliveries: readonly Delivery[];
  /** Each token once; none without a delivery. */
  readonly leftovers: readonly Leftover[];
  /** Native coins that the answer states as fees beside what is spent. */
  readonly statedCoins: bigint;
  /** Whether it may take native coins that are stated nowhere, as bridges do. */
  readonly mayPayFees: boolean;
}

const NATIVE = addressKey(NATIVE_TOKEN);

/** All that may leave the account: what was asked for, and native coins that are sent beside it. */
export function leavingOf({
  spendings,
  call,
  statedCoins,
}: Pick<SimulatedBuild, 'spendings' | 'call' | 'statedCoins'>): readonly Spending[] {
  if (call.value === 0n || spendings.some(({ isNative }) => isNative)) return spendings;
  const coins = { token: NATIVE, isNative: true, amount: 0n, most: statedCoins, approved: 0n };
  return [...spendings, coins];
}

/** The parts that are alike but for their amounts, added up. */
export function addedUp<T>(
  parts: readonly T[],
  keyOf: (part: T) => string,
  add: (one: T, other: T) => T,
): T[] {
  const sums = new Map<string, T>();
  for (const part of parts) {
    const before = sums.get(keyOf(part));
    sums.set(keyOf(part), before === undefined ? part : add(before, part));
  }
  return [...sums.values()];
}
