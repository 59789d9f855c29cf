import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Choices that repeat with their seed. */
export interface Chance {
  /** From 0 to 1. */
  readonly uniform: () => number;
  /** Between two values, as likely in each tenfold range as in another. */
  readonly spread: (least: number, most: number) => number;
  /** The same as a whole number, both ends included. */
  readonly whole: (least: number, most: number) => number;
  readonly happens: (probability: number) => boolean;
  readonly pick: <T>(items: readonly [T, ...T[]]) => T;
}

/** Small seeds are alike in most of their bits, and so are the first numbers. */
const WARM_UP = 8;

/** @param seed a whole number */
export function chanceOf(seed: number): Chance {
  const generator = xoroshiro128plus(Math.imul(seed + 1, 0x9e3779b1));
  const uniform = (): number => uniformFloat64(generator);
  for (let count = 0; count < WARM_UP; count += 1) uniform();
  const spread = (least: number, most: number): number => least * (most / least) ** uniform();
  return {
    uniform,
    spread,
    whole: (least, most) => Math.min(most, Math.floor(spread(least, most + 1))),
    happens: (probability) => uniform() < probability,
    pick: (items) => items[Math.floor(uniform() * items.length)] ?? items[0],
  };
}
