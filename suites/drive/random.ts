import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Repeatable choices: the same seed makes the same ones in the same order. */
export interface Random {
  /** A uniform integer from `least` to `most`, both included. */
  integer(least: number, most: number): number;
  /** One of the items, or undefined when there are none. */
  pick<T>(items: readonly T[]): T | undefined;
  /** Up to `count` different items, in random order. */
  sample<T>(items: readonly T[], count: number): T[];
  /** An EVM address of nobody in particular; without letters it is right in any spelling (EIP-55). */
  address(): string;
  /** A UUID of version 4 (RFC 9562). */
  uuid(): string;
}

/** Choices that repeat with the seed, a 32-bit integer. */
export function createRandom(seed: number): Random {
  const generator = xoroshiro128plus(seed);
  const integer = (least: number, most: number): number => uniformInt(generator, least, most);
  const sample = <T>(items: readonly T[], count: number): T[] => {
    const rest = [...items];
    const taken: T[] = [];
    while (taken.length < count && rest.length > 0) {
      taken.push(...rest.splice(integer(0, rest.length - 1), 1));
    }
    return taken;
  };
  return {
    integer,
    sample,
    pick: (items) => sample(items, 1)[0],
    uuid: () => {
      const hex = (length: number): string =>
        Array.from({ length }, () => integer(0, 15).toString(16)).join('');
      return `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
    },
    address: () => `0x${Array.from({ length: 40 }, () => integer(0, 9)).join('')}`,
  };
}
