import type { LoadStep } from './scenario.ts';

/** A peak asks for more by more than this. */
const HIGHER = 1.2;

/**
 * The first and the last of the steps of one rate between which another asks for more, each at a steady rate;
 * undefined if there are none.
 */
export function peakOf(
  steps: readonly Pick<LoadStep, 'fromPerSecond' | 'toPerSecond'>[],
): { readonly before: number; readonly after: number } | undefined {
  const rates = steps.map(({ fromPerSecond: from, toPerSecond: to }) => (from === to ? from : 0));
  for (const [before, rate] of rates.entries()) {
    if (rate === 0) continue;
    const after = rates.lastIndexOf(rate);
    if (rates.slice(before, after).some((other) => other > HIGHER * rate)) return { before, after };
  }
  return undefined;
}
