import type { LearnedWorld } from './session/world.ts';

/** More values of one name show nothing new. */
const MAX_VALUES = 3;

const CHAIN_NAMES: ReadonlySet<string> = new Set([
  'chain',
  'chainid',
  'fromchain',
  'tochain',
  'srcchainid',
  'destchainid',
]);

/** What the listings stated, by the name of a parameter without spaces, in lower case. */
export function valuesOf(world: LearnedWorld, name: string): readonly unknown[] {
  if (CHAIN_NAMES.has(name)) return world.chainIds.slice(0, MAX_VALUES);
  const pools = world.pools.slice(0, MAX_VALUES);
  if (name === 'pooladdress' || name === 'pool') return pools.map(({ address }) => address);
  if (name === 'protocol') return pools.map(({ protocol }) => protocol);
  return /token(?:address)?$/.test(name) ? pools.flatMap(({ tokens }) => tokens.slice(0, 1)) : [];
}
