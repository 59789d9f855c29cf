import { describe, expect, test } from 'vitest';
import { createRandom } from '../../drive/random.ts';
import type { DistinguishingFilter } from './distinguishing-filters.ts';
import { DistinguishingFilters } from './distinguishing-filters.ts';
import type { LearnedPool } from '../session/world.ts';

const token = (digit: number): string => `0x${String(digit).repeat(40)}`;

/** A pool, by its chain, its protocol and the digits of its tokens: `1 a 12`. */
function pool(text: string, index: number): LearnedPool {
  const [chain, protocol = '', digits = ''] = text.split(' ');
  const tokens = Array.from(digits, (digit) => token(Number(digit)));
  return { chainId: Number(chain), protocol, tokens, address: `0xP${index}` };
}

function filters(...pools: readonly string[]): DistinguishingFilters {
  return new DistinguishingFilters(createRandom(1), pools.map(pool));
}

/** A filter in the words of {@link pool}; in brackets if no pool passes. */
function words({ query, passes }: DistinguishingFilter): string {
  const digits = query.tokens?.split(',').map((text) => text[2]);
  const text = [query.chainId, query.protocol, digits?.sort().join('')].filter(Boolean).join(' ');
  return passes ? text : `(${text})`;
}

describe('two tokens', () => {
  test.each<[string[], string[]]>([
    // Each is without the other somewhere.
    [
      ['1 a 12', '1 a 13', '1 a 24'],
      ['12', '(34)'],
    ],
    // A pool that holds only one of them is enough, whichever that is.
    [
      ['1 a 12', '1 a 13'],
      ['12|13', '(23)'],
    ],
    // Two that all pools share show nothing.
    [['1 a 12', '10 b 12'], []],
    // Never together on any chain.
    [['1 a 12', '10 b 34'], ['(13|14|23|24)']],
  ])('of %j', (pools, expected) => {
    const found = filters(...pools)
      .twoTokens()
      .map(words);
    expect(found).toHaveLength(expected.length);
    if (pools.length !== 3) {
      for (const [index, one] of found.entries()) {
        const choices = (expected[index] ?? '').replace(/[()]/g, '').split('|');
        expect(choices).toContain(one.replace(/[()]/g, ''));
        expect(one.startsWith('(')).toBe(expected[index]?.startsWith('('));
      }
    } else expect(found[0]).toBe('12');
  });
});

test('three tokens are those of a pool of two, and one more', () => {
  expect(filters('1 a 12', '1 a 13').threeTokens().map(words)).toEqual(['(123)']);
  expect(filters('1 a 12', '1 a 123').threeTokens().map(words)).toEqual(['123']);
  expect(filters('1 a 12').threeTokens()).toEqual([]);
});

test('filters that exclude each other come with each of them alone', () => {
  const found = filters('1 a 12', '10 b 34').conflicts().map(words);
  for (const one of found.filter((text) => text.startsWith('('))) {
    // Pools of one chain have one protocol here, so that all of them conflict.
    expect([
      '(1 3)',
      '(10 1)',
      '(10 2)',
      '(1 4)',
      '(1 b)',
      '(10 a)',
      '(a 3)',
      '(a 4)',
      '(b 1)',
      '(b 2)',
    ]).toContain(one);
  }
  expect(found.filter((text) => text.startsWith('('))).toHaveLength(3);
  expect(filters('1 a 12', '1 a 13').conflicts()).toEqual([]);
});

test('a protocol and a token are those that other pools have one of as well', () => {
  const found = filters('1 a 12', '1 a 34', '1 b 13').protocolAndToken().map(words);
  expect(['a 1', 'a 3']).toContain(found[1]);
  expect(filters('1 a 12', '1 b 34').protocolAndToken()).toEqual([]);
});

test('the most common token is that of most pools', () => {
  expect(filters('1 a 12', '1 a 13', '1 b 41').commonToken()).toBe(token(1));
  expect(filters().commonToken()).toBeUndefined();
});

test('many pools of many tokens are looked through in little work', () => {
  const pools = Array.from({ length: 5_000 }, (_, at): LearnedPool => {
    const address = (n: number): string => `0x${n.toString(16).padStart(40, '0')}`;
    const tokens = Array.from({ length: 20 }, (_none, n) => address(at * 20 + n));
    return { chainId: at % 50, protocol: `p${at % 100}`, tokens, address: address(at) };
  });
  const filters = new DistinguishingFilters(createRandom(1), pools);
  const before = process.cpuUsage().user;
  filters.twoTokens();
  filters.threeTokens();
  filters.conflicts();
  filters.protocolAndToken();
  expect((process.cpuUsage().user - before) / 1_000).toBeLessThan(5_000);
});
