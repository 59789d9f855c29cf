import { isEvmAddress, NATIVE_TOKEN } from '../../../contracts/wire/addresses.ts';
import type { Session } from './session.ts';
import type { LearnedPool, LearnedWorld, TokenAt } from './world.ts';

/** A route worth asking for, as far as the target's own pools tell. */
export interface RouteIdea {
  readonly kind: 'swap' | 'deposit' | 'from-native' | 'to-native' | 'cross-chain' | 'cross-deposit';
  readonly source: TokenAt;
  readonly destination: TokenAt;
}

/** About so many USD are moved where prices are known. */
const WORTH_USD = 250;
/** However little a token is worth: thousandths of tokens. */
const MAX_WHOLE = 1e30;
/** Powers of ten that are tried where the decimals of a token are not known. */
const GUESSED_POWERS: readonly number[] = [18, 6, 8, 3];

/** Ideas for routes of all kinds over the target's chains. */
export function routeIdeas(session: Session, perKind: number): RouteIdea[] {
  const { random, world } = session;
  const pools = random.sample(world.routablePools, world.routablePools.length);
  const spread = spreadOverChains(pools);
  const ideas =
    spread.length === 0
      ? nativeIdeas(session)
      : spread.flatMap((pool, index) =>
          ideasOf(session, pool, farToken(session, farPool(spread, index), index)),
        );
  const kinds = [...new Set(ideas.map(({ kind }) => kind))];
  // Each kind begins one pool further on, so that few routes span many chains and tokens.
  return kinds.flatMap((kind, turn) => {
    const ofKind = ideas.filter((idea) => idea.kind === kind);
    const first = turn % ofKind.length;
    return [...ofKind.slice(first), ...ofKind.slice(0, first)].slice(0, perKind);
  });
}

/** Where no pool tells its tokens: the native token is known, and so are the pools. */
function nativeIdeas({ random, world }: Session): RouteIdea[] {
  const pools = world.pools.filter(({ address }) => isEvmAddress(address));
  return spreadOverChains(random.sample(pools, pools.length)).map(({ chainId, address }) => ({
    kind: 'deposit',
    source: { chainId, address: NATIVE_TOKEN },
    destination: { chainId, address },
  }));
}

function ideasOf(
  { random }: Session,
  pool: LearnedPool,
  far: { readonly pool: LearnedPool; readonly token: string } | undefined,
): RouteIdea[] {
  const { chainId } = pool;
  const [first, second] = pool.tokens.filter(isEvmAddress);
  if (first === undefined || second === undefined) return [];
  const source = { chainId, address: first };
  const native = { chainId, address: NATIVE_TOKEN };
  // In either order, since one of the two may but wrap the native token.
  const [bought = first, sold = second] = random.sample([first, second], 2);
  const ideas: RouteIdea[] = [
    { kind: 'swap', source, destination: { chainId, address: second } },
    { kind: 'deposit', source, destination: { chainId, address: pool.address } },
    { kind: 'from-native', source: native, destination: { chainId, address: bought } },
    { kind: 'to-native', source: { chainId, address: sold }, destination: native },
  ];
  if (far !== undefined) {
    const { chainId: farChain, address: farPool } = far.pool;
    ideas.push(
      { kind: 'cross-chain', source, destination: { chainId: farChain, address: far.token } },
      { kind: 'cross-deposit', source, destination: { chainId: farChain, address: farPool } },
    );
  }
  return ideas.filter(({ source: from, destination: to }) => !sameToken(from, to));
}

function sameToken(a: TokenAt, b: TokenAt): boolean {
  return a.chainId === b.chainId && a.address.toLowerCase() === b.address.toLowerCase();
}

/**
 * The pools in turn from each chain and each protocol, so that the first few span as many of both as
 * there are: kinds of pools go by protocol.
 */
function spreadOverChains(pools: readonly LearnedPool[]): LearnedPool[] {
  const turns = new Map<string, number>();
  const turnOf = (key: string): number => {
    const turn = turns.get(key) ?? 0;
    turns.set(key, turn + 1);
    return turn;
  };
  const turned = pools.map((pool) => {
    const [chain, protocol] = [`chain ${pool.chainId}`, `protocol ${pool.protocol}`];
    return { pool, turn: turnOf(chain) + turnOf(protocol) };
  });
  return turned.sort((a, b) => a.turn - b.turn).map(({ pool }) => pool);
}

/** The next pool in turn that is on another chain. */
function farPool(pools: readonly LearnedPool[], index: number): LearnedPool | undefined {
  const chainId = pools[index]?.chainId;
  for (let offset = 1; offset < pools.length; offset += 1) {
    const pool = pools[(index + offset) % pools.length];
    if (pool?.chainId !== chainId) return pool;
  }
  return undefined;
}

/**
 * A token of a pool on another chain. Every other time it is the one of which the same worth is most
 * base units, whatever the pool lists first: of a few units rounding hides what is wrong with them.
 */
function farToken(
  { world }: Session,
  pool: LearnedPool | undefined,
  index: number,
): { readonly pool: LearnedPool; readonly token: string } | undefined {
  const tokens = pool?.tokens.filter(isEvmAddress) ?? [];
  let [token] = tokens;
  if (pool === undefined || token === undefined) return undefined;
  const { chainId } = pool;
  const digitsOf = (address: string): number => digitsPerUsd(world, { chainId, address });
  if (index % 2 === 0) {
    for (const other of tokens) if (digitsOf(other) > digitsOf(token)) token = other;
  }
  return { pool, token };
}

/** How many digits a USD's worth of a token has in base units, about; as if worth one if unknown. */
function digitsPerUsd(world: LearnedWorld, token: TokenAt): number {
  return (world.decimalsOf(token) ?? 0) - Math.log10(world.priceOf(token) ?? 1);
}

/** Beyond this a float holds not every whole number. */
const FLOAT_EXACT = 2n ** 53n;
/** In base 2 ones and zeros in turn: whatever a float drops of an amount, this shows it. */
const LOW_DIGITS = 0b1_0101_0101_0101n;

/** A large amount with low digits that show where precision is lost. */
function telling(amount: bigint): string {
  return String(amount > FLOAT_EXACT ? amount + LOW_DIGITS : amount);
}

/**
 * Amounts to try for a token, in base units: one where its decimals are known, else a few guesses
 * that between them suit most tokens.
 */
export function amountsToTry(session: Session, token: TokenAt): string[] {
  const decimals = session.world.decimalsOf(token);
  if (decimals === undefined) return GUESSED_POWERS.map((power) => telling(10n ** BigInt(power)));
  const price = session.world.priceOf(token) ?? 1;
  const whole = Math.min(MAX_WHOLE, Math.max(1, Math.round((WORTH_USD / price) * 1_000)));
  const amount = (BigInt(whole) * 10n ** BigInt(decimals)) / 1_000n;
  return [telling(amount > 0n ? amount : 1n)];
}
