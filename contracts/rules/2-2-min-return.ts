import type { Broken, Rule } from '../rule.ts';
import { exchangeRule } from '../rule.ts';
import { baseUnitsOf } from '../wire/amounts.ts';
import { leastReturn } from '../wire/slippage.ts';
import type { Entry, Route } from './zap-route.ts';
import { pointerTo, ROUTED, routeOf } from './zap-route.ts';

const base = { api: 'zap', operations: ROUTED, answer: 'success', leastEvidence: 1 } as const;

/** What a rule says of one guarantee; undefined when it says nothing of it. */
type JudgeEntry = (entry: Entry, amount: bigint, minReturn: bigint) => Broken | null | undefined;

/** Judges every entry that has an amount and a minReturn; null when none does. */
function eachGuarantee(
  { steps }: Route,
  lists: readonly ('output' | 'dust')[],
  judge: JudgeEntry,
): Broken[] | null {
  let broken: Broken[] | null = null;
  for (const step of steps) {
    for (const list of lists) {
      for (const entry of step[list]) {
        if (entry.amount === undefined) continue;
        const minReturn = baseUnitsOf(entry.json.minReturn);
        if (minReturn === undefined) continue;
        const found = judge(entry, entry.amount, minReturn);
        if (found === undefined) continue;
        broken ??= [];
        if (found !== null) broken.push(found);
      }
    }
  }
  return broken;
}

function brokenAt(entry: Entry, expected: string, minReturn: bigint): Broken {
  return { pointer: pointerTo(entry, 'minReturn'), expected, actual: String(minReturn) };
}

// Of a very small amount a percent is less than a unit, and rounding decides.
const ROUNDING = 1n;

export const minReturnRules: readonly Rule[] = [
  // Card: on output and dust entries minReturn is at most amount. What is not a string of base units
  // is the business of the rule on such values.
  exchangeRule({
    ...base,
    id: 'zap.path.min-return-within-amount',
    level: 'must',
    source: 'card',
    protects: 'The guaranteed minimum of an output or dust entry is not above its amount.',
    judge: (view) => {
      const route = routeOf(view);
      return (
        route &&
        eachGuarantee(route, ['output', 'dust'], (entry, amount, minReturn) =>
          minReturn <= amount
            ? null
            : brokenAt(entry, `at most the amount beside it, ${amount}`, minReturn),
        )
      );
    },
  }),
  // Section 1, convention 4, and 2.1: slippage is the tolerance in percent; so what is guaranteed is
  // no less than the amount less that percentage. It may be more: a fixed price loses nothing.
  exchangeRule({
    ...base,
    id: 'zap.path.min-return-honours-slippage',
    level: 'should',
    source: 'implied by §1, §2.1, §2.2',
    protects: 'No output may fall further below its amount than the slippage that was asked for.',
    judge: (view) => {
      const route = routeOf(view);
      const slippage = route?.asked?.slippage;
      if (route === null || slippage === undefined || slippage === 0) return null;
      return eachGuarantee(route, ['output'], (entry, amount, minReturn) => {
        const least = leastReturn(amount, slippage);
        if (least === undefined) return undefined;
        if (minReturn + ROUNDING >= least) return null;
        return brokenAt(entry, `at least ${amount} less ${slippage} %, ${least}`, minReturn);
      });
    },
  }),
  exchangeRule({
    ...base,
    id: 'zap.path.no-slippage-no-loss',
    level: 'should',
    source: 'implied by §1, §2.1, §2.2',
    protects: 'A slippage of 0 is none, not an absent one: outputs are guaranteed in full.',
    judge: (view) => {
      const route = routeOf(view);
      if (route?.asked?.slippage !== 0) return null;
      return eachGuarantee(route, ['output'], (entry, amount, minReturn) =>
        minReturn + ROUNDING >= amount
          ? null
          : brokenAt(entry, `the amount beside it, ${amount}, since slippage is 0`, minReturn),
      );
    },
  }),
];
