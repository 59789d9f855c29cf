import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Draws that repeat with the seed. */
export interface Draws {
  /** Between 0 and 1. */
  readonly uniform: () => number;
  readonly normal: () => number;
}

/** Draws from a seed. */
export function drawsOf(seed: number): Draws {
  const generator = xoroshiro128plus(seed);
  const uniform = (): number => uniformFloat64(generator);
  const normal = (): number =>
    Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return { uniform, normal };
}

/** One night's deviation with mean about 0 and standard deviation 1. */
export type Shape = (draws: Draws) => number;

/** How nights may scatter. */
export const SHAPES: Readonly<Record<'normal' | 'skewed' | 'outliers', Shape>> = {
  normal: ({ normal }) => normal(),
  skewed: ({ uniform }) => -Math.log(1 - uniform()) - 1,
  // One night in twenty is slower by 3 to 6 spreads of the others; they scatter so much less that the
  // standard deviation of all is 1.
  outliers: ({ uniform, normal }) =>
    (normal() + (uniform() < 0.05 ? 3 + 3 * uniform() : 0) - 0.225) / Math.sqrt(1.9994),
};

/** Logarithms of so many nights, with a change after some of them. */
export function nightsOf(
  draws: Draws,
  shape: Shape,
  {
    nights,
    spread,
    change,
  }: { nights: number; spread: number; change?: readonly [after: number, percent: number] },
): number[] {
  const [after, percent] = change ?? [nights, 0];
  return Array.from(
    { length: nights },
    (_, night) => spread * shape(draws) + (night >= after ? Math.log1p(percent / 100) : 0),
  );
}
