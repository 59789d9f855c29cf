import type { Broken, Collected, GroupJudgement, Rule } from '../../../judging/rule.ts';
import { runRule } from '../../../judging/rule.ts';
import type { View } from '../../../judging/view.ts';
import { leastReturn } from '../../wire/slippage.ts';

/** An amount, and what of it is guaranteed to who tolerates so much slippage. */
export interface Kept {
  /** Base units. */
  readonly amount: bigint;
  /** Base units. */
  readonly minReturn: bigint;
  /** Percent, as asked. */
  readonly slippage: number;
}

/** How a guarantee stands to the tolerance that was asked for. */
export type Reading = 'as asked' | 'tighter' | 'looser' | 'too small to judge';

/** Base units of tolerance from which on readings are distinguished, whatever is rounded. */
const SMALLEST_JUDGED_TOLERANCE = 1_000n;

/** @returns undefined when the slippage is no percentage from 0 to 100 */
export function readingOf({ amount, minReturn, slippage }: Kept): Reading | undefined {
  const least = leastReturn(amount, slippage);
  if (least === undefined) return undefined;
  const tolerated = amount - least;
  const given = amount - minReturn;
  if (tolerated < SMALLEST_JUDGED_TOLERANCE) return 'too small to judge';
  // A hundredth of the tolerance beyond rounding: far less than lies between any two that are asked.
  if (distance(given, tolerated) <= 2n + tolerated / 100n) return 'as asked';
  return given < tolerated ? 'tighter' : 'looser';
}

function distance(a: bigint, b: bigint): bigint {
  return a > b ? a - b : b - a;
}

/** Parts of a percent that a slippage is taken for by mistake: tenths, and basis points. */
const UNITS = [
  { parts: 10n, name: 'tenths of a percent' },
  { parts: 100n, name: 'hundredths of a percent' },
] as const;

type Unit = (typeof UNITS)[number];

/** Three tolerances cannot be the same part of what was asked by chance. */
const MIN_SLIPPAGES = 3;

/** A guarantee, and where it stands in the body. */
export type KeptAt = Kept & { readonly pointer: string };

interface Fact extends KeptAt {
  readonly unit: Unit | undefined;
  /** Whether it is what was asked: another guarantee says nothing of the unit. */
  readonly isPercent: boolean;
}

/** What shows the unit of a tolerance; null if rounding may hide it. */
function factOf(kept: KeptAt): Fact | null {
  const least = leastReturn(kept.amount, kept.slippage);
  if (least === undefined) return null;
  const tolerated = kept.amount - least;
  if (tolerated < SMALLEST_JUDGED_TOLERANCE * 100n) return null;
  const given = kept.amount - kept.minReturn;
  const isPartOf = (parts: bigint): boolean =>
    distance(given * parts, tolerated) <= 2n * parts + tolerated / 1_000n;
  const unit = UNITS.find(({ parts }) => isPartOf(parts));
  return { ...kept, unit, isPercent: isPartOf(1n) };
}

function numberOfSlippages(facts: readonly Collected<Fact>[]): number {
  return new Set(facts.map(({ fact }) => fact.slippage)).size;
}

function conclude(facts: readonly Collected<Fact>[]): GroupJudgement[] {
  if (numberOfSlippages(facts) < MIN_SLIPPAGES) return [];
  const mistaken = UNITS.filter(
    (unit) => numberOfSlippages(facts.filter(({ fact }) => fact.unit === unit)) >= MIN_SLIPPAGES,
  );
  return facts.map(({ fact, witness }) => {
    const unit = mistaken.find((one) => one === fact.unit);
    const held = fact.isPercent ? [] : null;
    return { witnesses: [witness], judgement: unit === undefined ? held : [brokenOf(fact, unit)] };
  });
}

function brokenOf({ amount, minReturn, slippage, pointer }: Fact, { name }: Unit): Broken {
  const expected = `${amount} less ${slippage} %, or a guarantee that does not go by slippage`;
  return { pointer, expected, actual: `${minReturn}, which is less ${slippage} ${name}` };
}

/**
 * The rule that slippage is taken in percent (section 1, convention 4). A service may guarantee more
 * than it is asked to; one that gives the same part of each tolerance takes it in another unit.
 */
export function percentRule(
  row: Pick<Rule, 'id' | 'api' | 'operations' | 'source'>,
  keptIn: (view: View) => KeptAt | null,
): Rule {
  return runRule<Fact>({
    ...row,
    level: 'must',
    protects: 'A slippage of 1 is one percent, not a smaller part.',
    rulesOut: 'A service that takes slippage in basis points, or in tenths of a percent.',
    answer: 'success',
    leastEvidence: 1,
    collect: (view) => {
      const kept = keptIn(view);
      return kept && factOf(kept);
    },
    conclude,
  });
}
