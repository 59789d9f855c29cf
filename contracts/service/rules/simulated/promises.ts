/** What of the promises of a build its simulations show to be kept, or broken. */

import type { Broken, Judgement } from '../../../judging/rule.ts';
import type { Attempt, Run } from './attempt.ts';
import { outcomeOf, spentIn } from './attempt.ts';
import { type Delivery, leavingOf, type SimulatedBuild, type Spending } from './build.ts';
import { spendersOf } from './plan.ts';

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
  const hasTokens = build.spendings.some(({ isNative }) => !isNative);
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
    'delivers-min-return': ran === undefined ? null : deliveredLeast(build, ran),
    'delivers-quoted': ran === undefined ? null : deliveredQuoted(build, ran),
    'spends-at-most-amount': ran === undefined ? null : spentAtMost(build, ran),
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

/** What the transaction sent to the recipient, by the logs; undefined where there are none. */
function sentTo(run: Run, { token, recipient }: Delivery): bigint | undefined {
  return run.built.transfers
    ?.filter((transfer) => transfer.token === token && transfer.to === recipient)
    .reduce((sum, { amount }) => sum + amount, 0n);
}

/** Whether less than the guarantee arrived for what the token itself takes on the way, or may have. */
function mayBeTaken(run: Run, delivery: Delivery): boolean {
  if (delivery.isNative) return false;
  // Without logs it is not known what was sent, but no token takes more than half.
  const sent = sentTo(run, delivery) ?? 2n * received(run, delivery);
  return sent >= delivery.least;
}

/** Whether less arrived than is guaranteed. That is nothing of a position, or of few units, too. */
export function isShort(run: Run, delivery: Delivery): boolean {
  const arrived = received(run, delivery);
  return arrived <= 0n ? delivery.least > 0n : arrived + ROUNDED < delivery.least;
}

function deliveredLeast(build: SimulatedBuild, run: Run): Judgement {
  const judged = build.deliveries.filter(
    (delivery) =>
      !isShort(run, delivery) || received(run, delivery) <= 0n || !mayBeTaken(run, delivery),
  );
  return judged.length === 0
    ? null
    : judged
        .filter((delivery) => isShort(run, delivery))
        .map((delivery) => ({
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
function deliveredQuoted(build: SimulatedBuild, run: Run): Judgement {
  const judged = build.deliveries.filter(
    (delivery) =>
      !isShort(run, delivery) || (received(run, delivery) > 0n && mayBeTaken(run, delivery)),
  );
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

function spentAtMost(build: SimulatedBuild, run: Run): Judgement {
  const judged = judgedSpendings(build);
  if (judged.length === 0) return null;
  return judged
    .filter((one) => isExcess(run, build, one))
    .map((one) => ({
      pointer: build.call.at.call,
      expected: `at most ${one.amount} of ${one.token} spent`,
      actual: String(spentIn(run, build, one)),
    }));
}

/** What may leave the account; native coins only where nothing may be paid with them besides. */
export function judgedSpendings(build: SimulatedBuild): Spending[] {
  return leavingOf(build).filter(({ isNative }) => !isNative || !build.mayPayFees);
}

/** Whether more left the account than was asked for. */
export function isExcess(run: Run, build: SimulatedBuild, spending: Spending): boolean {
  return spentIn(run, build, spending) > spending.amount + (spending.isNative ? 0n : ROUNDED);
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
