import { mean, median, robustSpread, serialCorrelation } from './order-statistics.ts';
import type { Split } from './split-scan.ts';

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
  const own = serialCorrelation([earlier, later], mean);
  const known = own + (LACKS.each + LACKS.ofItself * own) / nights;
  const correlation = Math.max(0, Math.min(HIGHEST, known));
  return z * ((1 - correlation) / (1 + correlation)) ** EXPONENT;
}
