/** Share of unchanged histories of which some series may be said to have become slower; faster, another. */
export const FALSE_ALARMS = 0.05;

/**
 * Share of unchanged histories of sixty nights in which the strongest split ever exceeds a statistic.
 * Made by `thresholds.calibration.spec.ts` from 400,000 histories (seed 20101), with looks from night 20
 * on at splits of eight nights or more before and three or more after.
 */
export const THRESHOLDS: readonly (readonly [probability: number, z: number])[] = [
  [0.2, 2.886],
  [0.1, 3.099],
  [0.06, 3.24],
  [0.05, 3.287],
  [0.04, 3.344],
  [0.03, 3.414],
  [0.02, 3.511],
  [0.015, 3.575],
  [0.01, 3.667],
  [0.007, 3.748],
  [0.005, 3.815],
  [0.003, 3.911],
  [0.002, 3.988],
  [0.001, 4.103],
  [0.0005, 4.214],
  [0.0002, 4.376],
  [0.0001, 4.474],
];

/**
 * What the statistic of one series must exceed, so that of so many series together no more than a share
 * of unchanged histories gives an alarm in one direction (Bonferroni: the share is divided among them; the table is
 * of both directions). In between the
 * simulated shares it is interpolated by their logarithms.
 *
 * @param probability of a false alarm in sixty nights, from 0 to 1
 * @param series number of series that share it
 * @throws {RangeError} when the share of one series is beyond the table
 */
export function thresholdFor(probability: number, series: number): number {
  const own = (2 * probability) / series;
  const below = THRESHOLDS.findIndex(([other]) => other <= own);
  const [lower, upper] = [THRESHOLDS[below], THRESHOLDS[below - 1] ?? THRESHOLDS[below]];
  if (lower === undefined || upper === undefined || own > upper[0]) {
    throw new RangeError(
      `no threshold is known for ${series} series that share ${probability}: for each that is ${own}, and the table goes from ${THRESHOLDS.at(-1)?.[0]} to ${THRESHOLDS[0]?.[0]}`,
    );
  }
  if (lower === upper) return lower[1];
  const part = Math.log(own / lower[0]) / Math.log(upper[0] / lower[0]);
  return lower[1] + part * (upper[1] - lower[1]);
}
