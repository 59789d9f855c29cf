/** The calls by which a build is simulated: approvals, balances, the transaction, balances again. */

import { addressKey, NATIVE_TOKEN } from '../../../wire/addresses.ts';
import { type Delivery, leavingOf, type SimulatedBuild, type Spending } from './build.ts';
import { wordOfAddress, wordOfNumber } from './words.ts';

/**
 * `strict`: as a client would execute it that follows the answer, with what it says approved and the
 * gas that it states. `lenient`: with more of everything, which shows what it lacked, and with
 * {@link Control}s after it. `stated-gas`: with more of everything but gas.
 */
export type Mode = 'strict' | 'lenient' | 'stated-gas';

/** One call of a simulation; hex digits and addresses are in lower case. */
export interface PlannedCall {
  readonly to: string;
  readonly data: string;
  readonly value: bigint;
  readonly gas: bigint;
}

/** A number that is read before and after the transaction: a balance, or what a spender may still take. */
export interface ReadFact {
  readonly token: string;
  readonly holder: string;
  readonly spender?: string;
}

/** A plain transfer of the account: what becomes of it is the token's doing, and not the service's. */
export interface Control {
  readonly token: string;
  readonly to: string;
  readonly amount: bigint;
  /** For whom it says something: the account of what it spends, the recipient of what it gets. */
  readonly holder: string;
  /** Whose balance is read after it: the holder's, or a stranger's, as who pays himself moves nothing. */
  readonly read: string;
  /** Its place among the calls; the reading comes next. */
  readonly at: number;
}

/** A simulation, ready to be sent. */
export interface Plan {
  readonly calls: readonly PlannedCall[];
  /** The place of the transaction among the calls. */
  readonly builtAt: number;
  /** What is read just before the transaction, and in the same order after it. */
  readonly reads: readonly ReadFact[];
  /** What the account moves after all that, in lenient runs; these may fail. */
  readonly controls: readonly Control[];
  /** The place of {@link DOMAIN_OF}, the one call that may fail; undefined where nobody is asked. */
  readonly domainAt: number | undefined;
}

/** A fresh address that gets {@link BALANCE_CODE} in simulations. */
export const BALANCE_READER = '0x00000000000000000000000000000000a55a7b1e';

/** An address that nobody has, and that holds nothing. */
const STRANGER = '0x00000000000000000000000000000000a55a7b20';

/** Code that returns the native balance of the address in its input; it runs on chains of any fork. */
export const BALANCE_CODE = '0x6000353160005260206000f3';

/** The contract that pulls tokens by signatures, which no simulated account has; at one address on all chains. */
export const PERMIT2 = '0x000000000022d473030f116ddee9f6b43ac78ba3';

/**
 * `DOMAIN_SEPARATOR()` of EIP-712: a contract that has one takes signatures. A spender of that kind, which is
 * not what is called, may want one before it pulls, as {@link PERMIT2} does; some chains have theirs elsewhere.
 */
const DOMAIN_OF = '0x3644e515';

/** What reading a balance or approving may take; tokens behind proxies take a third of it. */
const HELPER_GAS = 300_000n;
/** Nodes refuse calls with more gas than a block of their chain has. */
export const MOST_GAS = 10_000_000n;

const NATIVE = addressKey(NATIVE_TOKEN);

/** What the account holds: all that a lenient run approves, and enough for a control after it. */
export function fundsFor(amount: bigint): bigint {
  return 4n * amount + 1n;
}

/** What is approved of a token; more than the answer says shows whether a transaction takes more. */
export function allowanceFor({ most, approved }: Spending, mode: Mode): bigint {
  const more = 2n * most + 1n;
  return mode === 'strict' || approved > more ? approved : more;
}

/** What of that has to be seen: some tokens keep allowances in fewer bits, and take the greatest number for any. */
export function leastAllowance({ most, approved }: Spending, mode: Mode): bigint {
  const needed = mode === 'strict' ? most : 2n * most + 1n;
  return approved < needed && mode === 'strict' ? approved : needed;
}

/** The call data that asks a token for a balance. */
export function balanceOf(holder: string): string {
  return `0x70a08231${wordOfAddress(holder)}`;
}

/** Who is approved: whom the answer names, else who is called; in a lenient run whoever might pull. */
export function spendersOf({ spender, call }: SimulatedBuild, mode: Mode): string[] {
  const named = spender ?? call.to;
  if (mode === 'strict') return [named];
  return [...new Set([named, call.to, ...(spender === undefined ? [PERMIT2] : [])])];
}

/** Who may get what is left over: the account, and whoever gets the output. */
export function holdersOf({ account, deliveries }: SimulatedBuild): string[] {
  return [...new Set([account, ...deliveries.map(({ recipient }) => recipient)])];
}

/** The simulation of a build. */
export function planOf(build: SimulatedBuild, mode: Mode): Plan {
  const { account, spendings, deliveries, leftovers, call } = build;
  const spenders = spendersOf(build, mode);
  const approvals = spendings
    .filter(({ isNative }) => !isNative)
    .flatMap((spending) => {
      const amount = allowanceFor(spending, mode);
      return spenders.map((spender) => ({ token: spending.token, spender, amount }));
    });
  const reads: ReadFact[] = [
    ...approvals.map(({ token, spender }) => ({ token, holder: account, spender })),
    ...leavingOf(build).map(({ token }) => ({ token, holder: account })),
    ...deliveries.map(({ token, recipient }) => ({ token, holder: recipient })),
    ...deliveries.map(({ token }) => ({ token, holder: account })),
    ...leftovers.flatMap(({ token }) =>
      holdersOf(build).map((holder): ReadFact => ({ token, holder })),
    ),
  ];
  const native = spendings.find(({ isNative }) => isNative)?.amount ?? 0n;
  const isLenient = mode === 'lenient';
  const sendsMore = mode !== 'strict' && native > call.value;
  const built: PlannedCall = {
    to: call.to,
    data: call.data,
    value: sendsMore ? native : call.value,
    gas: isLenient || call.gas === undefined || call.gas > MOST_GAS ? MOST_GAS : call.gas,
  };
  const before = [
    ...approvals.map(({ token, spender, amount }) => approve(token, spender, amount)),
    ...reads.map(reading),
  ];
  const after = [...before, built, ...reads.map(reading)];
  const controls = isLenient
    ? plainMoves(build).map((move, index) => ({ ...move, at: after.length + 2 * index }))
    : [];
  const calls = [
    ...after,
    ...controls.flatMap(({ token, to, amount, read }) => [
      helper(token, `0xa9059cbb${wordOfAddress(to)}${wordOfNumber(amount)}`),
      reading({ token, holder: read }),
    ]),
  ];
  const { spender = call.to } = build;
  const asksDomain = isLenient && approvals.length > 0 && spender !== call.to;
  return {
    calls: asksDomain ? [...calls, helper(spender, DOMAIN_OF)] : calls,
    ...{ builtAt: before.length, reads, controls },
    domainAt: asksDomain ? calls.length : undefined,
  };
}

/** What the account sends to its spender of what it spends, and to the recipient of what that is to get. */
function plainMoves(build: SimulatedBuild): Omit<Control, 'at'>[] {
  const { account, spendings, deliveries } = build;
  const [spender = ''] = spendersOf(build, 'strict');
  return [
    ...spendings
      .filter(({ isNative }) => !isNative)
      .map(({ token, most }) => ({
        ...{ token, to: spender, amount: most },
        ...{ holder: account, read: account },
      })),
    ...deliveries.filter(isMovable).map(({ token, recipient, least }) => {
      const to = recipient === account ? STRANGER : recipient;
      return { token, to, amount: least, holder: recipient, read: to };
    }),
  ];
}

/** Whether some of it can be sent by a plain transfer of a token. */
export function isMovable({ isNative, isPosition, least }: Delivery): boolean {
  return !isNative && !isPosition && least > 0n;
}

/** The selector of `approve(address,uint256)`. */
export const APPROVE = '0x095ea7b3';

function approve(token: string, spender: string, amount: bigint): PlannedCall {
  return helper(token, `${APPROVE}${wordOfAddress(spender)}${wordOfNumber(amount)}`);
}

function reading({ token, holder, spender }: ReadFact): PlannedCall {
  if (spender !== undefined)
    return helper(token, `0xdd62ed3e${wordOfAddress(holder)}${wordOfAddress(spender)}`);
  if (token === NATIVE) return helper(BALANCE_READER, `0x${wordOfAddress(holder)}`);
  return helper(token, balanceOf(holder));
}

function helper(to: string, data: string): PlannedCall {
  return { to, data, value: 0n, gas: HELPER_GAS };
}
