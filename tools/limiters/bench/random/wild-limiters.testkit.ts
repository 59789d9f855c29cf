/**
 * Limiters drawn from all that are thinkable, none of which the estimator's prior knows: windows, limits
 * and rates evenly by their logarithm, networks of 0.2 to 200 ms, failures, clocks that are off, stacked
 * limits. The generator is in `tools/limiters/bench/random/`.
 */
import { randomRow, type RandomRow } from './random-row.ts';
import { randomRowText } from './random-table.ts';

/** The rows of so many seeds, and what is to be reported of those that are neither right nor ambiguous. */
export async function wildRows(
  first: number,
  count: number,
): Promise<{ readonly rows: readonly RandomRow[]; readonly reported: string }> {
  const rows: RandomRow[] = [];
  for (let seed = first; seed < first + count; seed += 1) rows.push(await randomRow(seed));
  const bad = rows.filter(({ grade }) => grade !== 'right' && grade !== 'ambiguous');
  return { rows, reported: bad.map(randomRowText).join('\n') };
}
