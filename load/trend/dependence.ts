import { median, robustSpread } from './order-statistics.ts';
import type { Split } from './split-scan.ts';

/** Deviations beyond so many spreads count as those, so that single wild nights do not hide a correlation. */
const WILD = 2.5;
/** What a correlation that is measured within few nights lacks: about so much by each, and by its own size. */
const LACKS = { each: 8, ofItself: 18 } as const;
const HIGHEST = 0.95;
/** A little more than the half by which the variance of a mean grows, as the correlation is itself uncertain. */
const EXPONENT = 0.6;

/** Spreads of the nights before; no correlation makes so large a step of them. */
const BEYOND_NOISE = 6;

/**
 * The statistic of a split as it would be if nights were independent. Machines have good and bad weeks: nights that
 * are like the one before make ranks move together. Correlation is that within the two sides of the split, so that
 * the change itself is none; the constants were chosen on histories drawn with one of 0 to 0.6, and
 * `nights.spec.ts` holds what they give.
 */
export function independentZ({ before, z }: Split, values: readonly number[]): number {
  const [earlier, later] = [values.slice(0, before), values.slice(before)];
  if (Math.abs(median(later) - median(earlier)) > BEYOND_NOISE * robustSpread(earlier)) return z;
  const nights = values.length;
  const own = within([earlier, later]);
  const known = own + (LACKS.each + LACKS.ofItself * own) / nights;
  const correlation = Math.max(0, Math.min(HIGHEST, known));
  return z * ((1 - correlation) / (1 + correlation)) ** EXPONENT;
}

/** Correlation of each night with the one before it, on the same side of a split. */
function within(parts: readonly (readonly number[])[]): number {
  const sides = parts.map(deviations);
  const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
  const squares = sum(sides.flat().map((one) => one * one));
  const products = sum(
    sides.flatMap((side) => side.slice(1).map((one, at) => one * (side[at] ?? 0))),
  );
  return squares === 0 ? 0 : products / squares;
}

function deviations(values: readonly number[]): number[] {
  const mean = values.reduce((all, one) => all + one, 0) / values.length;
  const bound = WILD * robustSpread(values);
  return values.map((value) => Math.max(-bound, Math.min(bound, value - mean)));
}
