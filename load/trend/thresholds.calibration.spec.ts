import { expect, test } from 'vitest';
import { drawsOf } from './nights.testkit.ts';
import { SplitScan } from './split-scan.ts';
import { THRESHOLDS } from './thresholds.ts';

/** What the table was made with; another seed gives values within 0.03, at 0.0001 within 0.12. */
const HISTORIES = 400_000;
const SEED = 20_101;
const NIGHTS = 60;

/**
 * Makes the table of thresholds anew. Ranks do not depend on the distribution of the nights, so any
 * serves; what a series must exceed so that a share of unchanged histories ever does, is a quantile of
 * the largest statistic of each history.
 */
test('the table is what the simulation gives', () => {
  const draws = drawsOf(SEED);
  const largest = Float64Array.from({ length: HISTORIES }, () => {
    const scan = new SplitScan();
    let most = 0;
    for (let night = 0; night < NIGHTS; night += 1) {
      scan.add(draws.uniform());
      most = Math.max(most, Math.abs(scan.strongest()?.z ?? 0));
    }
    return most;
  }).sort();
  const anew = THRESHOLDS.map(([probability]) => [
    probability,
    Number((largest[Math.ceil((1 - probability) * HISTORIES) - 1] ?? NaN).toFixed(3)),
  ]);
  console.log(JSON.stringify(anew));
  expect(anew).toEqual(THRESHOLDS);
}, 1_200_000);
