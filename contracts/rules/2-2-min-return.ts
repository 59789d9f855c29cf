import type { Broken, Rule } from '../rule.ts';
import { exchangeRule } from '../rule.ts';
import { isMore } from '../wire/amounts.ts';
import { leastReturn } from '../wire/slippage.ts';
import type { Entry } from './zap-entry.ts';
import { pointerTo } from './zap-entry.ts';
import { ROUTED, routeOf } from './zap-route.ts';

const base = { api: 'zap', operations: ROUTED, answer: 'success', leastEvidence: 1 } as const;

function brokenAt(entry: Entry, expected: string): Broken {
  return { pointer: pointerTo(entry, 'minReturn'), expected, actual: String(entry.minReturnText) };
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
      const guaranteed = routeOf(view)?.guaranteed ?? [];
      if (guaranteed.length === 0) return null;
      const broken: Broken[] = [];
      for (const entry of guaranteed) {
        const { amountText = '', minReturnText = '' } = entry;
        if (!isMore(minReturnText, amountText)) continue;
        broken.push(brokenAt(entry, `at most the amount beside it, ${amountText}`));
      }
      return broken;
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
      let broken: Broken[] | null = null;
      for (const entry of route.guaranteed) {
        const { list, amount = 0n, minReturn = 0n } = entry;
        const least = list === 'output' ? leastReturn(amount, slippage) : undefined;
        if (least === undefined) continue;
        broken ??= [];
        if (minReturn + ROUNDING >= least) continue;
        broken.push(brokenAt(entry, `at least ${amount} less ${slippage} %, ${least}`));
      }
      return broken;
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
      const outputs = route.guaranteed.filter(({ list }) => list === 'output');
      if (outputs.length === 0) return null;
      return outputs
        .filter(({ amount = 0n, minReturn = 0n }) => minReturn + ROUNDING < amount)
        .map((entry) =>
          brokenAt(entry, `the amount beside it, ${entry.amountText ?? ''}, since slippage is 0`),
        );
    },
  }),
];
