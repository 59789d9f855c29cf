import { describe, expect, test } from 'vitest';
import { LearnedWorld, MAX_LEARNED, protocolId, tokenAddresses } from './world.ts';

const FIRST = `0x${'1'.repeat(40)}`;
const SECOND = `0x${'2'.repeat(40)}`;

describe('tokenAddresses', () => {
  test.each([
    ['strings', [FIRST, SECOND]],
    ['objects with an address', [{ address: FIRST }, { address: SECOND }]],
    ['objects that hold one further in', [{ token: { id: FIRST } }, { token: { id: SECOND } }]],
    ['members of an object', { token0: FIRST, token1: SECOND }],
    ['names of an object', { [FIRST]: { index: 0 }, [SECOND]: {} }],
    ['one text', `${FIRST}, ${SECOND}`],
  ])('finds them as %s', (_, tokens) => {
    expect(tokenAddresses(tokens)).toEqual([FIRST, SECOND]);
  });

  test.each([null, undefined, 7, [], {}, [{ symbol: 'T' }]])('finds none in %j', (tokens) => {
    expect(tokenAddresses(tokens)).toEqual([]);
  });
});

describe('protocolId', () => {
  test('is the text, or the id of an object', () => {
    expect([protocolId('a'), protocolId({ id: 'b', name: 'B' })]).toEqual(['a', 'b']);
  });

  test('is undefined if there is none', () => {
    expect([protocolId(null), protocolId({ name: 'B' }), protocolId(3)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('the tokens of a pool that its list does not name', () => {
  const pool = { chainId: 1, address: `0x${'9'.repeat(40)}`, protocol: 'a' };
  const worldOf = (...tokens: readonly string[]): LearnedWorld => {
    const world = new LearnedWorld();
    world.pools.push({ ...pool, tokens });
    return world;
  };

  test('may be learned', () => {
    const world = worldOf('USDC', 'WETH');
    expect(world.routablePools).toEqual([]);
    world.noteTokens(pool, [FIRST, SECOND]);
    expect(world.routablePools).toEqual([{ ...pool, tokens: [FIRST, SECOND] }]);
  });

  test('take the place of no others, and are of that chain alone', () => {
    const world = worldOf(FIRST, SECOND);
    world.noteTokens(pool, [SECOND, FIRST]);
    expect(world.routablePools).toEqual([{ ...pool, tokens: [FIRST, SECOND] }]);
    const other = worldOf('USDC', 'WETH');
    other.noteTokens({ ...pool, chainId: 10 }, [FIRST, SECOND]);
    expect(other.routablePools).toEqual([]);
  });
});

describe('what is learned', () => {
  test('is bounded, whatever a target lists', () => {
    const many = Array.from({ length: 100_000 }, (_, at) => `0x${String(at).padStart(40, '0')}`);
    expect(tokenAddresses(many)).toHaveLength(MAX_LEARNED.tokensOfPool);
    expect(tokenAddresses(many.join())).toHaveLength(MAX_LEARNED.tokensOfPool);
    expect(tokenAddresses(['x'.repeat(10_000), FIRST])).toEqual([FIRST]);
    expect(protocolId('x'.repeat(10_000))).toBeUndefined();
    const world = new LearnedWorld();
    world.noteAssets(
      many.map((address) => ({ address, decimals: 6, price: '2' })),
      1,
    );
    expect(world.assets()).toHaveLength(MAX_LEARNED.assets);
  });

  test.each([1.5, -1, 256, 1e9, null, '6'])('takes %j for no decimals', (decimals) => {
    const world = new LearnedWorld();
    world.noteAssets({ address: FIRST, chainId: 1, decimals });
    expect(world.decimalsOf({ chainId: 1, address: FIRST })).toBeUndefined();
  });
});

test('a provider that a hint names fits every type, one that is listed its own', () => {
  const world = new LearnedWorld();
  world.noteProviders(1, [
    { id: 'one', type: 'dex' },
    { id: 'far', type: 'bridge' },
    { id: 'hint', type: 'unknown' },
  ]);
  expect(world.providerIds(1, 'dex')).toEqual(['one', 'hint']);
  expect(world.providerIds(1)).toEqual(['one', 'far', 'hint']);
  expect(world.providerIds(2)).toEqual([]);
});

test('a route needs an EVM pool of two EVM tokens', () => {
  const world = new LearnedWorld();
  const pool = { chainId: 1, protocol: 'a' };
  world.pools.push(
    { ...pool, address: FIRST, tokens: [FIRST, SECOND] },
    { ...pool, address: SECOND, tokens: [FIRST] },
    { ...pool, address: SECOND, tokens: [FIRST, 'So1ana'] },
    { ...pool, address: 'So1ana', tokens: [FIRST, SECOND] },
  );
  expect(world.routablePools).toHaveLength(1);
});

test('a price of 0 says that none is known', () => {
  const world = new LearnedWorld();
  world.noteAssets([
    { chainId: 1, address: FIRST, decimals: 0, price: '0' },
    { chainId: 1, address: SECOND, decimals: 18, price: '1.5' },
  ]);
  expect(world.priceOf({ chainId: 1, address: FIRST })).toBeUndefined();
  expect(world.decimalsOf({ chainId: 1, address: FIRST })).toBe(0);
  expect(world.priceOf({ chainId: 1, address: SECOND })).toBe(1.5);
});
