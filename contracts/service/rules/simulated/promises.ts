/** What of the promises of a build its simulations show to be kept, or broken. */

import type { Broken, Judgement } from '../../../judging/rule.ts';
import type { Attempt, Outcome, Run } from './attempt.ts';
import { outcomeOf, spentIn } from './attempt.ts';
import { type Delivery, leavingOf, type SimulatedBuild, type Spending } from './build.ts';
import { isMovable, spendersOf } from './plan.ts';

/** Shares of tokens whose balances grow by themselves are rounded. */
const ROUNDED = 1n;

/** What a lenient run shows that the strict one lacked; undefined where it shows nothing. */
function lackOf(
  build: SimulatedBuild,
  run: Run,
): 'spender' | 'amount' | 'value' | 'gas' | undefined {
  const { account, spendings, spender, call } = build;
  const used = (token: string, by: string): boolean =>
    run.grew({ token, holder: account, spender: by }) < 0n;
  const tokens = spendings.filter(({ isNative }) => !isNative);
  const [named = '', ...others] = spendersOf(build, 'lenient');
  if (tokens.some(({ token }) => !used(token, named) && others.some((by) => used(token, by))))
    return spender === undefined ? undefined : 'spender';
  if (tokens.some((one) => spentIn(run, build, one) > one.amount + ROUNDED)) return 'amount';
  const coins = spendings.find(({ isNative }) => isNative);
  if (coins !== undefined && spentIn(run, build, coins) > call.value) return 'value';
  // A call is given at most 63 of 64 parts of the gas that is left.
  const gas = run.built.gas;
  return call.gas !== undefined && gas !== undefined && gas + gas / 63n > call.gas
    ? 'gas'
    : undefined;
}

/** The promises that simulations judge. */
export type SimulatedPromise =
  | 'succeeds'
  | 'delivers-min-return'
  | 'delivers-quoted'
  | 'spends-at-most-amount'
  | 'spends-no-coins-beside'
  | 'spender-is-approved'
  | 'value-suffices'
  | 'gas-suffices';

/** What an attempt says of each promise. */
export function judgeAttempt(attempt: Attempt): Readonly<Record<SimulatedPromise, Judgement>> {
  const outcome = outcomeOf(attempt);
  const { build } = attempt;
  const { ran, strict } = outcome;
  const held = strict === 'succeeded' ? [] : null;
  const lack = ran?.mode === 'lenient' ? lackOf(build, ran) : undefined;
  const { at, gas } = build.call;
  const [coins, tokens] = [true, false].map((isNative) =>
    judgedSpendings(build).filter((one) => one.isNative === isNative),
  ) as [Spending[], Spending[]];
  const hasTokens = tokens.length > 0;
  const broken = (pointer: string, expected: string, actual: string): readonly Broken[] => [
    { pointer, expected, actual },
  ];
  const isOfKnownSpender = build.spender !== undefined || !hasTokens;
  const gasUsed = ran?.built.gas ?? 0n;
  const doesNothing = strict === 'succeeded' && ran !== undefined && takesNothing(build, ran);
  return {
    succeeds:
      outcome.fails && isOfKnownSpender
        ? broken(at.call, 'a transaction that succeeds', `it fails: ${outcome.why ?? ''}`)
        : doesNothing
          ? broken(
              at.call,
              'a transaction that takes what it is to bring elsewhere',
              'it takes nothing',
            )
          : held,
    'delivers-min-return': ran === undefined ? null : deliveredLeast(build, ran, outcome),
    'delivers-quoted': ran === undefined ? null : deliveredQuoted(build, ran, outcome),
    'spends-at-most-amount': ran === undefined ? null : spentAtMost(tokens, build, ran, outcome),
    'spends-no-coins-beside': ran === undefined ? null : spentAtMost(coins, build, ran, outcome),
    'spender-is-approved':
      lack === 'spender'
        ? broken(at.spender, `${build.call.to}, which takes the tokens`, build.spender ?? 'nobody')
        : hasTokens && build.spender !== undefined
          ? held
          : null,
    'value-suffices':
      lack === 'value' && ran !== undefined
        ? broken(at.value, `at least ${ran.value}, which is spent`, String(build.call.value))
        : hasTokens
          ? null
          : held,
    'gas-suffices':
      lack === 'gas'
        ? broken(at.gas, `at least ${gasUsed}, which is used`, String(gas))
        : gas === undefined || ran?.way === 'batch'
          ? null
          : held,
  };
}

const received = (run: Run, { token, recipient }: Delivery): bigint =>
  run.grew({ token, holder: recipient });

/** Whether less arrived than is guaranteed. That is nothing of a position, or of few units, too. */
function isShort(run: Run, delivery: Delivery): boolean {
  const arrived = received(run, delivery);
  return arrived <= 0n ? delivery.least > 0n : arrived + ROUNDED < delivery.least;
}

/**
 * Whose doing it is that less arrived than is guaranteed: `token` if a plain transfer of the guarantee brings no
 * more; undefined if nothing is missing.
 */
export function shortfallOf(
  run: Run,
  { moved }: Pick<Outcome, 'moved'>,
  delivery: Delivery,
): 'service' | 'token' | 'not known' | undefined {
  if (!isShort(run, delivery)) return undefined;
  if (!isMovable(delivery)) return 'service';
  const arrived = received(run, delivery);
  const plain = moved(delivery.token, delivery.recipient);
  // No token takes all of a transfer that succeeds.
  if (plain === 'not tried') return arrived <= 0n ? 'service' : 'not known';
  if (plain === 'refused') return 'not known';
  return arrived + ROUNDED < plain ? 'service' : 'token';
}

/**
 * Whose doing it is that more left the account than was asked for: `token` if a plain transfer of the amount takes
 * as much; undefined if nothing does.
 */
export function excessOf(
  run: Run,
  { moved }: Pick<Outcome, 'moved'>,
  build: SimulatedBuild,
  spending: Spending,
): 'service' | 'token' | 'not known' | undefined {
  const spent = spentIn(run, build, spending);
  if (spent <= spending.amount + (spending.isNative ? 0n : ROUNDED)) return undefined;
  if (spending.isNative) return 'service';
  const plain = moved(spending.token, build.account);
  if (typeof plain !== 'bigint') return 'not known';
  return spent > plain + ROUNDED ? 'service' : 'token';
}

/** Whether controls have to show whose doing it is that a build did not execute as its answer says. */
export function needsControls(attempt: Attempt): boolean {
  const { build } = attempt;
  const outcome = outcomeOf(attempt);
  const { ran } = outcome;
  return (
    ran === undefined ||
    build.deliveries.some((one) => isMovable(one) && isShort(ran, one)) ||
    build.spendings.some((one) => excessOf(ran, outcome, build, one) === 'not known')
  );
}

function deliveredLeast(build: SimulatedBuild, run: Run, outcome: Outcome): Judgement {
  const judged = build.deliveries
    .map((delivery) => ({ delivery, by: shortfallOf(run, outcome, delivery) }))
    .filter(({ by }) => by === undefined || by === 'service');
  return judged.length === 0
    ? null
    : judged
        .filter(({ by }) => by === 'service')
        .map(({ delivery }) => ({
          pointer: delivery.leastAt,
          expected: `at least ${delivery.least} of ${delivery.token} for ${delivery.recipient}`,
          actual: arrivedWords(build, run, delivery),
        }));
}

function arrivedWords({ account }: SimulatedBuild, run: Run, delivery: Delivery): string {
  const { token, recipient } = delivery;
  const elsewhere = run.grew({ token, holder: account });
  const also = elsewhere > 0n && account !== recipient ? `; ${account} got ${elsewhere}` : '';
  return `${received(run, delivery)} arrived${also}`;
}

/** Between quote and execution prices move, but not by half of what is tolerated, and each time. */
function deliveredQuoted(build: SimulatedBuild, run: Run, outcome: Outcome): Judgement {
  const judged = build.deliveries.filter((delivery) => {
    const by = shortfallOf(run, outcome, delivery);
    return by === undefined || (by !== 'service' && received(run, delivery) > 0n);
  });
  if (judged.length === 0) return null;
  return judged
    .filter((delivery) => {
      const { quoted, least } = delivery;
      const tolerated = quoted > least ? (quoted - least) / 2n : 0n;
      return received(run, delivery) + tolerated + ROUNDED < quoted;
    })
    .map((delivery) => ({
      pointer: delivery.quotedAt,
      expected: `about ${delivery.quoted} of ${delivery.token}, of which half the slippage may be missing`,
      actual: arrivedWords(build, run, delivery),
    }));
}

function spentAtMost(
  spendings: readonly Spending[],
  build: SimulatedBuild,
  run: Run,
  outcome: Outcome,
): Judgement {
  const judged = spendings
    .map((one) => ({ one, by: excessOf(run, outcome, build, one) }))
    .filter(({ by }) => by === undefined || by === 'service');
  if (judged.length === 0) return null;
  return judged
    .filter(({ by }) => by === 'service')
    .map(({ one }) => ({
      pointer: build.call.at.call,
      expected: `at most ${one.amount} of ${one.token} spent`,
      actual: String(spentIn(run, build, one)),
    }));
}

/** What may leave the account; native coins only where nothing may be paid with them besides. */
export function judgedSpendings(build: SimulatedBuild): Spending[] {
  return leavingOf(build).filter(({ isNative }) => !isNative || !build.mayPayFees);
}

/** Whether a transaction leaves all tokens where they are that it is to bring to another chain. */
function takesNothing(build: SimulatedBuild, run: Run): boolean {
  const { spendings, deliveries } = build;
  return (
    deliveries.length === 0 &&
    spendings.every(
      (one) => !one.isNative && one.amount > ROUNDED && spentIn(run, build, one) <= 0n,
    )
  );
}
