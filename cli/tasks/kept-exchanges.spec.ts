import { expect, test } from 'vitest';
import { exchangeOf } from '../../contracts/judging/exchange.testkit.ts';
import { KeptExchanges } from './kept-exchanges.ts';

const RANKS = new Map([
  ['b', 0],
  ['a', 1],
  ['c', 2],
]);
const sized = (id: string, characters = 0): ReturnType<typeof exchangeOf> =>
  exchangeOf({ id, answered: 'x'.repeat(characters) });
const bytesOf = (id: string): number => Buffer.byteLength(JSON.stringify(sized(id)));

test('keeps those that are wanted, what matters most first, whatever comes first', () => {
  const kept = new KeptExchanges(RANKS, 1_000_000);
  for (const id of ['a', 'x', 'b', 'c', 'a']) kept.add(sized(id));
  expect(kept.exchanges.map(({ id }) => id)).toEqual(['b', 'a', 'c']);
});

test('lets go of what matters least if there is no room for all', () => {
  const kept = new KeptExchanges(RANKS, bytesOf('a') * 2);
  for (const id of ['c', 'a', 'b']) kept.add(sized(id));
  expect(kept.exchanges.map(({ id }) => id)).toEqual(['b', 'a']);
});

test('leaves out one that would take the place of all others', () => {
  const kept = new KeptExchanges(RANKS, 4_000);
  kept.add(sized('a'));
  kept.add(sized('b', 3_000));
  expect(kept.exchanges.map(({ id }) => id)).toEqual(['a']);
});
