/** What answers to trade builds say of their pairs, as relations between requests compare it. */

import type { View } from '../../../judging/view.ts';
import { baseUnitsOf } from '../../../wire/amounts.ts';
import type { RelationRow } from '../../../rules/relation-rule.ts';
import type { Reading } from '../inputs/slippage-reading.ts';
import { readingOf } from '../inputs/slippage-reading.ts';
import { answeredIn, buildOf } from '../readings/trade-build.ts';

/** What one pair is quoted. */
export interface Amounts {
  readonly destAmount: bigint;
  readonly minDestAmount: bigint;
}

/** What all pairs of an answer are quoted. */
export interface Quotes {
  /** The pair that the request asks for first: in A the only one. */
  readonly pair: string;
  /** Of that pair, percent. */
  readonly slippage: unknown;
  readonly amounts: ReadonlyMap<string, Amounts>;
}

/** A row that compares what pairs are quoted, or that a request is served. */
export type TradeRow = RelationRow<Quotes | 'served'>;

/** What an answer quotes; null if its first pair is not reported. */
export function quotesOf(view: View): Quotes | null {
  const build = buildOf(view);
  const [asked] = build?.asked ?? [];
  if (build === null || asked === undefined) return null;
  const [pair, { fields }] = asked;
  const amounts = new Map<string, Amounts>();
  for (const { key, summary } of answeredIn(build)) {
    const destAmount = baseUnitsOf(summary.destAmount);
    const minDestAmount = baseUnitsOf(summary.minDestAmount);
    if (destAmount === undefined || minDestAmount === undefined) continue;
    amounts.set(key, { destAmount, minDestAmount });
  }
  return amounts.has(pair) ? { pair, slippage: fields.slippage, amounts } : null;
}

/** The amounts of the pair that A asks for, in answers to A and to B. */
export function amountsOf(pair: string, quotes: Quotes | 'served'): Amounts | undefined {
  return quotes === 'served' ? undefined : quotes.amounts.get(pair);
}

/** Whether two answers to A quote the same. */
export function agree(one: Quotes | 'served', other: Quotes | 'served'): boolean {
  if (one === 'served' || other === 'served') return one === other;
  const [first, second] = [amountsOf(one.pair, one), amountsOf(one.pair, other)];
  return first?.destAmount === second?.destAmount && first?.minDestAmount === second?.minDestAmount;
}

/** How the guarantee of the first pair stands to its slippage; null if that is no percentage. */
export function readingIn(quotes: Quotes | 'served'): Reading | null {
  return quotes === 'served' ? null : readingBeside(quotes, quotes);
}

/** How the guarantee of the pair of A stands to its slippage in another answer, to A or to B. */
export function readingBeside({ pair, slippage }: Quotes, answer: Quotes): Reading | null {
  const amounts = amountsOf(pair, answer);
  if (typeof slippage !== 'number' || amounts === undefined) return null;
  const { destAmount: amount, minDestAmount: minReturn } = amounts;
  return readingOf({ amount, minReturn, slippage }) ?? null;
}
