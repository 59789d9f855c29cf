import type { Broken, Judgement, Rule } from '../../../judging/rule.ts';
import { exchangeRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { baseUnitsOf } from '../../../wire/amounts.ts';
import { leastReturn } from '../../wire/slippage.ts';
import type { Answered } from '../readings/trade-build.ts';
import { BrokenList } from '../../../rules/broken-list.ts';
import { percentRule } from '../inputs/slippage-reading.ts';
import { answeredIn, BUILD, buildOf } from '../readings/trade-build.ts';

/** A guarantee is judged to this many base units, since rounding is not shown. */
const ROUNDING = 1n;

/** What is wrong with one guarantee; null when nothing is, undefined when it cannot be judged. */
type JudgeGuarantee = (
  answered: Answered,
  destAmount: bigint,
  minDestAmount: bigint,
) => Broken | null | undefined;

/** Judges every summary that holds both amounts; others are the business of other rules. */
function eachGuarantee(view: View, judge: JudgeGuarantee): Judgement {
  const build = buildOf(view);
  if (build === null) return null;
  let judged = false;
  const broken = new BrokenList();
  for (const answered of answeredIn(build)) {
    const destAmount = baseUnitsOf(answered.summary.destAmount);
    const minDestAmount = baseUnitsOf(answered.summary.minDestAmount);
    if (destAmount === undefined || minDestAmount === undefined) continue;
    const found = judge(answered, destAmount, minDestAmount);
    if (found === undefined) continue;
    judged = true;
    if (found !== null) broken.add(() => found);
  }
  return judged ? broken.all() : null;
}

function brokenAt({ pointer }: Answered, expected: string, actual: bigint): Broken {
  return { pointer: `${pointer}/minDestAmount`, expected, actual: String(actual) };
}

const base = {
  api: 'trade',
  operations: BUILD,
  answer: 'success',
  leastEvidence: 1,
} as const;

/** Rules on the amounts of quote summaries. */
export const summaryRules: readonly Rule[] = [
  // §2.4: minDestAmount is the least of what destAmount states.
  exchangeRule({
    ...base,
    id: 'trade.summary.min-within-dest-amount',
    level: 'must',
    source: '§2.4',
    protects: 'The guaranteed minimum of a quote is not above its amount.',
    rulesOut: "A service that adds the tolerance, or has the two amounts in each other's place.",
    judge: (view) =>
      eachGuarantee(view, (answered, destAmount, minDestAmount) => {
        // If both are one, nothing distinguishes them.
        if (minDestAmount === destAmount) return undefined;
        if (minDestAmount < destAmount) return null;
        return brokenAt(answered, `at most destAmount, ${destAmount}`, minDestAmount);
      }),
  }),
  // §1, convention 4, and 2.3: slippage is the tolerance of that entry in percent; the guarantee may
  // be better, not worse.
  exchangeRule({
    ...base,
    id: 'trade.summary.min-honours-slippage',
    level: 'must',
    source: 'implied by §1, §2.3, §2.4 (loses money)',
    rulesOut: 'A service that tolerates a slippage of its own, or that of another entry.',
    protects: 'No quote may fall further below its amount than the slippage of its entry.',
    judge: (view) =>
      eachGuarantee(view, (answered, destAmount, minDestAmount) => {
        const { slippage } = answered.entry;
        if (typeof slippage !== 'number') return undefined;
        const least = leastReturn(destAmount, slippage);
        if (least === undefined) return undefined;
        if (minDestAmount + ROUNDING >= least) return null;
        return brokenAt(
          answered,
          `at least ${destAmount} less ${slippage} %, ${least}`,
          minDestAmount,
        );
      }),
  }),
  // One quote of a build is enough, since a batch is of one mind.
  percentRule(
    {
      id: 'trade.summary.slippage-in-percent',
      source: 'implied by §1, §2.3, §2.4 (transaction fails)',
      api: 'trade',
      operations: BUILD,
    },
    (view) => {
      const build = buildOf(view);
      const [first] = build === null ? [] : answeredIn(build);
      const { slippage } = first?.entry ?? {};
      if (first === undefined || typeof slippage !== 'number') return null;
      const amount = baseUnitsOf(first.summary.destAmount);
      const minReturn = baseUnitsOf(first.summary.minDestAmount);
      if (amount === undefined || minReturn === undefined) return null;
      return { amount, minReturn, slippage, pointer: `${first.pointer}/minDestAmount` };
    },
  ),
];
