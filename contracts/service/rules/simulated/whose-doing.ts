/** Whose doing it is that less arrived than is guaranteed, or more left than was asked for. */

import type { Outcome, Run } from './attempt.ts';
import { spentIn } from './attempt.ts';
import type { Delivery, SimulatedBuild, Spending } from './build.ts';
import { isMovable, spendersOf } from './plan.ts';
import type { Logs } from './logs.ts';

/** Shares of tokens whose balances grow by themselves are rounded. */
export const ROUNDED = 1n;

/** What rounding may come to of an amount that goes in parts, or through several hands. */
function roundedOf(amount: bigint): bigint {
  const some = amount / 1_000n;
  return ROUNDED + (some < MOST_ROUNDED ? some : MOST_ROUNDED);
}

/** Units, one for each transfer. */
const MOST_ROUNDED = 8n;

/** What arrived. */
export function received(run: Run, { token, recipient }: Delivery): bigint {
  return run.grew({ token, holder: recipient });
}

/** Whether less arrived than is guaranteed. That is nothing of a position, or of few units, too. */
export function isShort(run: Run, delivery: Delivery): boolean {
  const arrived = received(run, delivery);
  return arrived <= 0n ? delivery.least > 0n : arrived + roundedOf(delivery.least) < delivery.least;
}

/**
 * Whose doing it is that less arrived than is guaranteed: `token` if a plain transfer of the guarantee brings no
 * more; `later` if it may still come, or who got it may be to hold it till then; undefined if nothing is missing.
 */
export function shortfallOf(
  run: Run,
  { moved, coins }: Pick<Outcome, 'moved' | 'coins'>,
  build: SimulatedBuild,
  delivery: Delivery,
): 'service' | 'later' | 'token' | 'not known' | undefined {
  if (!isShort(run, delivery)) return undefined;
  const arrived = received(run, delivery);
  const logs = delivery.isNative ? coins : run.built.logs;
  if (arrived <= 0n && mayCome(run, build, delivery, logs)) return 'later';
  if (!isMovable(delivery)) return 'service';
  const plain = moved(delivery.token, delivery.recipient);
  // No token takes all of a transfer that succeeds.
  if (plain === 'not tried') return arrived <= 0n ? 'service' : 'not known';
  if (plain === 'refused') return 'not known';
  return arrived + roundedOf(plain) < plain ? 'service' : 'token';
}

const NOBODY = `0x${'0'.repeat(40)}`;

/** Whether something may still come: the transaction did something, and who got any of it may be to hold it. */
function mayCome(
  run: Run,
  build: SimulatedBuild,
  { token, recipient, isNative, mayComeLater }: Delivery,
  logs: Logs | undefined,
): boolean {
  const { account } = build;
  if (mayComeLater === false) return false;
  if (mayComeLater === 'if ordered' && run.built.logs?.others === 0) return false;
  if (account !== recipient && run.grew({ token, holder: account }) > 0n) return false;
  const { logs: all } = run.built;
  if (all?.count === 0 && build.spendings.every((one) => spentIn(run, build, one) <= 0n))
    return false;
  if (mayComeLater === true) return true;
  const gained = gainsOf(logs, token);
  // What the account gave away of it, as fees in native coins, is not what was to come.
  const gaveAway = gained.get(account) ?? 0n;
  const gainers = gainersOf(gained, account, isNative);
  return gainers.reduce((sum, { amount }) => sum + amount, gaveAway) <= 0n;
}

/** What each holder gained of a token, less what he gave, as far as transfers are logged. */
function gainsOf(logs: Logs | undefined, token: string): ReadonlyMap<string, bigint> {
  const gained = new Map<string, bigint>();
  const add = (holder: string, amount: bigint): unknown =>
    gained.set(holder, (gained.get(holder) ?? 0n) + amount);
  for (const move of logs?.moves ?? []) {
    if (move.token !== token) continue;
    add(move.from, -move.amount);
    add(move.to, move.amount);
  }
  return gained;
}

/** Those who gained some, but for the account, and for nobody, to whom tokens are sent that end; coins are lost there. */
function gainersOf(
  gained: ReadonlyMap<string, bigint>,
  account: string,
  isNative: boolean,
): Gainer[] {
  return [...gained]
    .map(([holder, amount]) => ({ holder, amount }))
    .filter(({ holder, amount }) => holder !== account && amount > 0n)
    .filter(({ holder }) => isNative || holder !== NOBODY)
    .sort((one, other) => (one.amount < other.amount ? 1 : -1));
}

/** Who got some of a token. */
export interface Gainer {
  readonly holder: string;
  readonly amount: bigint;
}

/** Who else got some of what was to be delivered, as far as that is known; who got most comes first. */
export function othersWhoGot(
  run: Run,
  { coins }: Pick<Outcome, 'coins'>,
  { account }: Pick<SimulatedBuild, 'account'>,
  { token, recipient, isNative }: Delivery,
): Gainer[] {
  const gained = gainsOf(isNative ? coins : run.built.logs, token);
  const elsewhere = account === recipient ? 0n : run.grew({ token, holder: account });
  return [
    ...(elsewhere > 0n ? [{ holder: account, amount: elsewhere }] : []),
    ...gainersOf(gained, account, isNative).filter(({ holder }) => holder !== recipient),
  ];
}

/**
 * Whose doing it is that more left the account than was asked for and is stated as fees: `token` if a plain transfer
 * of that takes as much; undefined if nothing does.
 */
export function excessOf(
  run: Run,
  { moved }: Pick<Outcome, 'moved'>,
  build: SimulatedBuild,
  spending: Spending,
): 'service' | 'token' | 'not known' | undefined {
  const { token, isNative, most } = spending;
  const spent = spentIn(run, build, spending);
  if (spent <= most) return undefined;
  if (isNative) return 'service';
  // What a token takes beside what it is asked for, or rounds, is not in what its spenders may still take.
  const pulled = spendersOf(build, run.mode).reduce(
    (sum, spender) => sum - run.grew({ token, holder: build.account, spender }),
    0n,
  );
  const isCounted = pulled > 0n;
  if (isCounted ? pulled <= most : spent <= most + roundedOf(most)) return undefined;
  const plain = moved(token, build.account);
  if (typeof plain !== 'bigint') return 'not known';
  return spent > plain + (isCounted ? 0n : roundedOf(plain)) ? 'service' : 'token';
}
