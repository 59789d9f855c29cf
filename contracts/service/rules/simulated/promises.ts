/** What of the promises of a build its simulations show to be kept, or broken. */

import type { Broken, Judgement } from '../../../judging/rule.ts';
import { isBroken, type Said } from './agreed.ts';
import type { Attempt, Outcome, Run } from './attempt.ts';
import { ageOf, outcomeOf, spentIn } from './attempt.ts';
import { type Delivery, leavingOf, type SimulatedBuild, type Spending } from './build.ts';
import { failedAsIs, lackOf } from './lack.ts';
import { isMovable } from './plan.ts';
import { excessOf, isShort, received, ROUNDED, shortfallOf } from './whose-doing.ts';

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
export function judgeAttempt(attempt: Attempt): Readonly<Record<SimulatedPromise, Said | null>> {
  const outcome = outcomeOf(attempt);
  const { build } = attempt;
  const { ran, strict } = outcome;
  // Prices of just now may ask more than an old state yields.
  const ofPrices = (said: Said | null): Said | null =>
    isBroken(said) && ageOf(attempt) !== undefined ? 'inconclusive' : said;
  const held = strict === 'succeeded' ? [] : null;
  const lack = ran?.mode === 'lenient' ? lackOf(build, ran, outcome) : undefined;
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
  // A transaction that fails brings nothing, whatever it brings with more of everything.
  const delivered = (said: Said | null): Said | null =>
    strict !== 'succeeded' && !isBroken(said) ? null : said;
  return {
    succeeds:
      outcome.fails && isOfKnownSpender
        ? ofPrices(broken(at.call, 'a transaction that succeeds', `it fails: ${outcome.why ?? ''}`))
        : (failedAsIs(build, outcome, lack) ??
          doneNothing(build, outcome) ??
          // What fails, and nothing shows why, may be the service's doing.
          (strict === 'failed' && !takesMore(build, outcome) ? 'inconclusive' : held)),
    'delivers-min-return':
      ran === undefined ? null : delivered(deliveredLeast(build, ran, outcome)),
    'delivers-quoted':
      ran === undefined ? null : ofPrices(delivered(deliveredQuoted(build, ran, outcome))),
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
        ? broken(
            at.gas,
            gas !== undefined && gasUsed > gas
              ? `at least ${gasUsed}, which is used`
              : 'more gas, with which it succeeds',
            String(gas),
          )
        : gas === undefined || ran?.way === 'batch'
          ? null
          : held,
  };
}

/**
 * That a transaction leaves all tokens where they are that it is to bring to another chain. One that logs something
 * may have signed an order, by which they are taken later.
 */
function doneNothing(build: SimulatedBuild, { ran, strict }: Outcome): Said | undefined {
  if (strict !== 'succeeded' || ran === undefined || !takesNothing(build, ran)) return undefined;
  if (ran.built.logs?.count !== 0) return 'inconclusive';
  return [
    {
      pointer: build.call.at.call,
      expected: 'a transaction that takes what it is to bring elsewhere',
      actual: 'it takes nothing',
    },
  ];
}

/** Whether a build fails as its answer says, and succeeds with more, since its token takes more than it is asked for. */
function takesMore(build: SimulatedBuild, outcome: Outcome): boolean {
  const { ran } = outcome;
  return (
    ran !== undefined &&
    build.spendings.some((one) => excessOf(ran, outcome, build, one) === 'token')
  );
}

/** Whether controls have to show whose doing it is that a build did not execute as its answer says. */
export function needsControls(attempt: Attempt): boolean {
  const { build } = attempt;
  const outcome = outcomeOf(attempt);
  const { ran } = outcome;
  return (
    ran?.mode !== 'strict' ||
    build.deliveries.some((one) => (one.isNative || isMovable(one)) && isShort(ran, one)) ||
    build.spendings.some((one) => excessOf(ran, outcome, build, one) === 'not known')
  );
}

function deliveredLeast(build: SimulatedBuild, run: Run, outcome: Outcome): Said | null {
  const all = build.deliveries.map((delivery) => ({
    delivery,
    by: shortfallOf(run, outcome, build, delivery),
  }));
  const broken = all
    .filter(({ by }) => by === 'service')
    .map(({ delivery }) => ({
      pointer: delivery.leastAt,
      expected: `at least ${delivery.isPosition ? 'one position' : delivery.least} of ${delivery.token} for ${delivery.recipient}`,
      actual: arrivedWords(build, run, delivery),
    }));
  if (broken.length > 0) return broken;
  if (all.some(({ by }) => by === 'later')) return 'inconclusive';
  return all.some(({ by }) => by === undefined) ? [] : null;
}

/** Why an attempt says less than it might; undefined if it does not. */
export function doubtOf(attempt: Attempt): string | undefined {
  const { build } = attempt;
  const outcome = outcomeOf(attempt);
  const { doubt, ran, strict, why = '' } = outcome;
  if (strict === 'failed') {
    const { succeeds } = judgeAttempt(attempt);
    return succeeds === 'inconclusive' ? `${whyOpen(attempt, outcome)} (it fails: ${why})` : doubt;
  }
  if (doubt !== undefined || ran === undefined) return doubt;
  const isLater =
    doneNothing(build, outcome) === 'inconclusive' ||
    build.deliveries.some((one) => shortfallOf(ran, outcome, build, one) === 'later');
  return isLater ? LATER : undefined;
}

/** Why nothing follows from a build that fails. */
function whyOpen(attempt: Attempt, { fails, doubt }: Outcome): string {
  const age = ageOf(attempt);
  if (age !== undefined && fails)
    return `its last block is ${age} s old, and by the prices of that time a build of now may rightly fail`;
  if (fails) return 'its answer names no spender to approve';
  return doubt ?? 'with more approved it succeeds, which its tokens or another spender may take';
}

const LATER =
  'nothing of what is to arrive moved in the transaction, so it may come later, or never';

function arrivedWords({ account }: SimulatedBuild, run: Run, delivery: Delivery): string {
  const { token, recipient } = delivery;
  const elsewhere = run.grew({ token, holder: account });
  const also = elsewhere > 0n && account !== recipient ? `; ${account} got ${elsewhere}` : '';
  return `${received(run, delivery)} arrived${also}`;
}

/** Between quote and execution prices move, though seldom by half of what is tolerated, and each time. */
function deliveredQuoted(build: SimulatedBuild, run: Run, outcome: Outcome): Judgement {
  const judged = build.deliveries.filter((delivery) => {
    // What a position holds is not known.
    if (delivery.isPosition) return false;
    const by = shortfallOf(run, outcome, build, delivery);
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
      expected: `at most ${one.most} of ${one.token} spent`,
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
