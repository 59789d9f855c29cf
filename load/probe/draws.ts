import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Uniform numbers from 0 up to, but not including, 1; the same seed, a 32-bit integer, gives the same. */
export function drawsOf(seed: number): () => number {
  const generator = xoroshiro128plus(mixed(seed));
  return () => uniformInt(generator, 0, 0xffffffff) / 0x100000000;
}

/** Seeds that are near each other begin alike: mixed, as the last step of MurmurHash3 does it. */
function mixed(seed: number): number {
  let hash = seed ^ (seed >>> 16);
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
