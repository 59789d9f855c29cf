/** What of the promises of a build its simulations show to be kept, or broken. */

import type { Broken } from '../../../judging/rule.ts';
import { isBroken, type Judged, type Said } from './agreed.ts';
import type { Attempt, Outcome, Run } from './attempt.ts';
import { ageOf, outcomeOf, spentIn } from './attempt.ts';
import type { SimulatedBuild, Spending } from './build.ts';
import { failedAsIs, lackOf } from './lack.ts';
import { deliveredLeast, deliveredQuoted } from './delivered.ts';
import { returnedDust } from './leftovers.ts';
import { both, judgedSpendings, spentAtMost, spentFarMore } from './spent.ts';
import { isMovable } from './plan.ts';
import { excessOf, isShort, othersWhoGot, ROUNDED, shortfallOf } from './whose-doing.ts';

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
        ? ofPrices(broken(at.call, 'a call that succeeds', `one that fails: ${outcome.why ?? ''}`))
        : (failedAsIs(build, outcome, lack) ??
          doneNothing(build, outcome) ??
          // What fails, and nothing shows why, may be the service's doing.
          (strict === 'failed' && !takesMore(build, outcome) ? 'inconclusive' : held)),
    'delivers-min-return':
      ran === undefined ? null : delivered(deliveredLeast(build, ran, outcome)),
    'delivers-quoted':
      ran === undefined ? null : ofPrices(delivered(deliveredQuoted(build, ran, outcome))),
    'spends-at-most-amount':
      ran === undefined
        ? null
        : both(spentAtMost(tokens, build, ran, outcome), spentFarMore(attempt, ran)),
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

/** By which a transaction that succeeds loses money. */
const LOSSES: readonly SimulatedPromise[] = ['delivers-min-return', 'spends-at-most-amount'];

/** What an attempt says of each promise; null if nothing. */
export type JudgedPromises = Readonly<Record<SimulatedPromise, Judged | null>>;

/** The same, and whether by that money is lost. */
export function judgedAttempt(attempt: Attempt): JudgedPromises {
  const isExecuted = outcomeOf(attempt).strict === 'succeeded';
  const all = Object.entries(judgeAttempt(attempt)) as [SimulatedPromise, Said | null][];
  const judged = all.map(([promise, said]) => {
    const isLoss = isExecuted && LOSSES.includes(promise) && isBroken(said);
    return [promise, said === null ? null : { said, isLoss }] as const;
  });
  return Object.fromEntries(judged) as JudgedPromises;
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
      expected: 'a call that takes what it is to bring elsewhere',
      actual: 'one that takes nothing',
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
  const later = build.deliveries.filter((one) => shortfallOf(ran, outcome, build, one) === 'later');
  const [other] = later.flatMap((one) => othersWhoGot(ran, outcome, build, one));
  if (other !== undefined)
    return `nothing of what is to arrive arrived, and ${other.holder} got some, which may pay it out later, or never`;
  if (later.length > 0 || doneNothing(build, outcome) === 'inconclusive') return LATER;
  return returnedDust(build, ran, outcome) === 'inconclusive' ? DUST_OPEN : undefined;
}

/** Why nothing follows from a build that fails. */
function whyOpen(attempt: Attempt, { fails, doubt }: Outcome): string {
  const age = ageOf(attempt);
  if (age !== undefined && fails)
    return `its last block is ${age} s old, and by the prices of that time a build of now may rightly fail`;
  if (fails) return 'its answer names no spender to approve';
  return doubt ?? 'with more approved it succeeds, which its tokens or another spender may take';
}

const DUST_OPEN =
  'most of what is called dust did not come back, and what else came may be worth it';
const LATER = 'nobody was seen to get any of what is to arrive, so it may come later, or never';

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
