import { expect, test } from 'vitest';
import { createRandom } from '../../drive/random.ts';
import { routeIdeas } from './routes.ts';
import { amountsToTry } from './amounts-to-try.ts';
import type { Session } from './session.ts';
import { LearnedWorld } from './world.ts';

const CHAINS = [1, 2, 3, 4];

/** An address that shows its chain and what it is. */
function address(chainId: number, digit: string): string {
  return `0x${String(chainId)}${digit.repeat(39)}`;
}

/** A pool on each chain; a token of few base units, which it lists first, and one of many. */
function sessionOf(isKnown: boolean): Pick<Session, 'random' | 'world'> {
  const world = new LearnedWorld();
  for (const chainId of CHAINS) {
    const [few, many] = [address(chainId, '8'), address(chainId, '6')];
    const pool = { chainId, address: address(chainId, 'a'), protocol: `p${chainId}` };
    world.pools.push({ ...pool, tokens: [few, many] });
    if (!isKnown) continue;
    world.noteAssets({ address: few, decimals: 8, price: '100000' }, chainId);
    world.noteAssets({ address: many, decimals: 6, price: '1' }, chainId);
  }
  return { random: createRandom(1), world };
}

/** How often a route to another chain leads to the token of many base units. */
function towardsMany(session: Pick<Session, 'random' | 'world'>): number {
  const ideas = routeIdeas(session as Session, CHAINS.length);
  const far = ideas.filter(({ kind }) => kind === 'cross-chain');
  expect(far).toHaveLength(CHAINS.length);
  return far.filter(({ destination: { chainId, address: to } }) => to === address(chainId, '6'))
    .length;
}

test('every other route to another chain leads to a token whose amounts show much', () => {
  expect(towardsMany(sessionOf(true))).toBe(CHAINS.length / 2);
});

test('where nothing is known of tokens, each leads to the first of a pool', () => {
  expect(towardsMany(sessionOf(false))).toBe(0);
});

test('a price next to nothing asks for a large amount, and ends nothing', () => {
  const session = sessionOf(false);
  const token = { chainId: 1, address: address(1, '8') };
  session.world.noteAssets({ ...token, decimals: 6, price: 1e-320 });
  const [amount = ''] = amountsToTry(session as Session, token);
  expect(amount).toMatch(/^[0-9]{30,40}$/);
});
