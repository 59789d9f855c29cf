/** Chooses filters of pools whose answer distinguishes a service that has a usual mistake from a right one. */

import { addressKey, isEvmAddress } from '../../../contracts/wire/addresses.ts';
import type { Random } from '../../drive/random.ts';
import type { LearnedPool } from '../session/world.ts';

/** Parameters of a pool list, and whether some pool passes all of them. */
export interface DistinguishingFilter {
  readonly query: Readonly<Record<string, string>>;
  /** A service may say that nothing passes by an error of its own. */
  readonly passes: boolean;
}

/** A pool with what is compared of it, its tokens by their keys. */
interface Known extends LearnedPool {
  readonly keys: ReadonlySet<string>;
}

/** More pools are not looked through, since pairs of them are; a service of more has enough that show it. */
const MAX_LOOKED_AT = 400;
/** At most this many tokens of a pool are paired. */
const MAX_PAIRED = 6;

/** Filters of a world's pools, each with what shows when it is not looked at as it should be. */
export class DistinguishingFilters {
  readonly #random: Random;
  readonly #pools: readonly Known[];

  constructor(random: Random, pools: readonly LearnedPool[]) {
    this.#random = random;
    this.#pools = random
      .sample(pools, MAX_LOOKED_AT)
      .map((pool) => {
        const tokens = pool.tokens.filter(isEvmAddress).slice(0, MAX_PAIRED);
        return { ...pool, tokens, keys: new Set(tokens.map(addressKey)) };
      })
      .filter(({ keys }) => keys.size > 0);
  }

  /**
   * Two tokens that some pools hold only one of: joined by or, or with one of them ignored, they give
   * more. First with a pool that holds both, then without one.
   */
  twoTokens(): DistinguishingFilter[] {
    const pairs = this.#pools.flatMap(({ tokens }) => {
      const [first, second] = this.#random.sample(tokens, 2);
      return first !== undefined && second !== undefined ? [[first, second] as const] : [];
    });
    // Best if each of the two is without the other somewhere; then no one-sided mistake is hidden.
    const together =
      pairs.find(([one, other]) => this.#apart(one, other) && this.#apart(other, one)) ??
      pairs.find(([one, other]) => this.#apart(one, other) || this.#apart(other, one));
    const strangers = this.#tokensNeverTogether();
    return [
      ...(together === undefined ? [] : [tokensOf(together, true)]),
      ...(strangers === undefined ? [] : [tokensOf(strangers, false)]),
    ];
  }

  /** Three tokens, of which some pool holds the first two alone, and some the last alone. */
  threeTokens(): DistinguishingFilter[] {
    for (const { keys, tokens } of this.#pools) {
      const [first, second] = tokens;
      if (first === undefined || second === undefined || keys.size !== 2) continue;
      const third = this.#pools
        .flatMap((pool) => pool.tokens)
        .find((token) => !keys.has(addressKey(token)));
      if (third === undefined) return [];
      const all = [first, second, third];
      return [tokensOf(all, this.#somePasses(all))];
    }
    return [];
  }

  /**
   * Filters of which each pool passes some and none all: by chain and tokens, chain and protocol,
   * protocol and tokens. Whichever is ignored, pools come that should not; each filter comes alone as
   * well, since that shows which.
   */
  conflicts(): DistinguishingFilter[] {
    const found: DistinguishingFilter[] = [];
    const [first, ...others] = this.#pools;
    if (first === undefined) return [];
    const token = first.tokens[0] ?? '';
    const key = addressKey(token);
    const elsewhere = others.find(
      ({ chainId }) => !this.#pools.some((pool) => pool.chainId === chainId && pool.keys.has(key)),
    );
    if (elsewhere !== undefined) {
      found.push({ query: { tokens: token }, passes: true });
      found.push({ query: { chainId: String(elsewhere.chainId), tokens: token }, passes: false });
    }
    const absent = this.#chainAndProtocol();
    if (absent !== undefined) {
      found.push({ query: { protocol: absent.protocol }, passes: true });
      found.push({ query: { ...absent }, passes: false });
    }
    const unpaired = this.#protocolAndToken();
    if (unpaired !== undefined) {
      found.push({ query: { tokens: unpaired.tokens }, passes: true });
      found.push({ query: { ...unpaired }, passes: false });
    }
    return found;
  }

  /** A protocol and a token of one of its pools, which other pools have one of as well. */
  protocolAndToken(): DistinguishingFilter[] {
    for (const { protocol, tokens } of this.#pools) {
      for (const token of tokens) {
        const key = addressKey(token);
        const isDistinguishing =
          this.#pools.some((pool) => pool.protocol !== protocol && pool.keys.has(key)) &&
          this.#pools.some((pool) => pool.protocol === protocol && !pool.keys.has(key));
        if (isDistinguishing && protocol !== '') {
          return [
            { query: { tokens: token }, passes: true },
            { query: { protocol, tokens: token }, passes: true },
          ];
        }
      }
    }
    return [];
  }

  /** The token that most pools hold. */
  commonToken(): string | undefined {
    const counts = new Map<string, { token: string; count: number }>();
    for (const { tokens } of this.#pools) {
      for (const token of tokens) {
        const known = counts.get(addressKey(token));
        counts.set(addressKey(token), { token, count: (known?.count ?? 0) + 1 });
      }
    }
    return [...counts.values()].sort((a, b) => b.count - a.count)[0]?.token;
  }

  /** Whether some pool holds the one token and not the other. */
  #apart(one: string, other: string): boolean {
    const [has, lacks] = [addressKey(one), addressKey(other)];
    return this.#pools.some(({ keys }) => keys.has(has) && !keys.has(lacks));
  }

  #somePasses(tokens: readonly string[]): boolean {
    const wanted = tokens.map(addressKey);
    return this.#pools.some(({ keys }) => wanted.every((key) => keys.has(key)));
  }

  #tokensNeverTogether(): readonly [string, string] | undefined {
    const [first] = this.#pools;
    if (first === undefined) return undefined;
    // Of one chain if there are some: a service may look at the chains of the tokens first.
    const near = this.#pools.filter(({ chainId }) => chainId === first.chainId);
    for (const among of [near, this.#pools]) {
      for (const token of first.tokens) {
        const other = among
          .flatMap(({ tokens }) => tokens)
          .find((one) => addressKey(one) !== addressKey(token) && !this.#somePasses([one, token]));
        if (other !== undefined) return [token, other];
      }
    }
    return undefined;
  }

  #chainAndProtocol(): { readonly chainId: string; readonly protocol: string } | undefined {
    const chains = [...new Set(this.#pools.map(({ chainId }) => chainId))];
    for (const protocol of new Set(this.#pools.map((pool) => pool.protocol))) {
      const on = new Set(
        this.#pools.filter((pool) => pool.protocol === protocol).map(({ chainId }) => chainId),
      );
      const without = chains.find((chainId) => !on.has(chainId));
      if (without !== undefined && protocol !== '') return { chainId: String(without), protocol };
    }
    return undefined;
  }

  #protocolAndToken(): { readonly protocol: string; readonly tokens: string } | undefined {
    const protocols = [...new Set(this.#pools.map((pool) => pool.protocol))].filter(Boolean);
    const byToken = new Map<string, { token: string; of: Set<string> }>();
    for (const { tokens, protocol } of this.#pools) {
      for (const token of tokens) {
        const key = addressKey(token);
        const known = byToken.get(key) ?? { token, of: new Set<string>() };
        byToken.set(key, known);
        known.of.add(protocol);
      }
    }
    for (const { token, of: protocolsOfToken } of byToken.values()) {
      const protocol = protocols.find((one) => !protocolsOfToken.has(one));
      if (protocol !== undefined) return { protocol, tokens: token };
    }
    return undefined;
  }
}

function tokensOf(tokens: readonly string[], passes: boolean): DistinguishingFilter {
  return { query: { tokens: tokens.join() }, passes };
}
