import { isObject, listOf, member } from '../../../contracts/wire/json.ts';
import type { FilteredPools } from '../../../contracts/service/rules/pools/filtered-pools.ts';
import type { KnownChain } from '../../driven-service.ts';
import { addressKey, isEvmAddress } from '../../../contracts/wire/addresses.ts';
import { QuotesForm } from './quotes-form.ts';

/**
 * What is learned of a target is bounded, far beyond what any service has. It decides what is sent,
 * and stays in memory for the run.
 */
export const MAX_LEARNED = {
  chains: 2_000,
  providersOfChain: 500,
  poolsOfList: 1_000,
  tokensOfPool: 50,
  assets: 20_000,
  nodesOfChain: 10,
  /** Of an id or address. */
  characters: 300,
} as const;

/** Whether a value may be the id or address of something. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_LEARNED.characters;
}

/** Tokens of EVM chains state their decimals in one byte. */
const MAX_DECIMALS = 255;

/** A pool as its list states it. */
export interface LearnedPool {
  readonly chainId: number;
  readonly address: string;
  readonly protocol: string;
  readonly tokens: readonly string[];
}

/** A provider as its list states it. */
export interface LearnedProvider {
  readonly id: string;
  readonly type: string;
}

/** A token at a place. */
export interface TokenAt {
  readonly chainId: number;
  readonly address: string;
}

/** What the target itself states of its chains, tokens, pools and providers, at run time. */
export class LearnedWorld {
  readonly chainIds: number[] = [];
  readonly pools: LearnedPool[] = [];
  /** Those whose details were reported. */
  readonly detailed: TokenAt[] = [];
  /** Whether a list of pools was served at all. */
  isListed = false;
  /** Pool lists of the largest size that were given, for holding others against them. */
  readonly poolLists: FilteredPools[] = [];
  /**
   * Whether trade builds are served only with simulation disabled (section 2.3). The senders that a
   * drive makes up hold nothing, so that a simulation may rightly fail.
   */
  simulationFails = false;
  /** In which form trade quotes are asked for. */
  readonly quotesForm: QuotesForm;
  readonly #known: readonly KnownChain[];
  readonly #providers = new Map<number, readonly LearnedProvider[]>();
  readonly #decimals = new Map<string, number>();
  readonly #prices = new Map<string, number>();
  readonly #nodes = new Map<number, readonly string[]>();

  /** @param known hints for a target that lists nothing itself */
  constructor(known: readonly KnownChain[] = [], quotesForm: QuotesForm = new QuotesForm()) {
    this.#known = known;
    this.quotesForm = quotesForm;
    for (const { id, tokens, providers } of known) {
      this.chainIds.push(id);
      this.noteProviders(
        id,
        providers.map((provider) => ({ id: provider, type: 'unknown' })),
      );
      const [address] = tokens;
      if (address !== undefined) this.pools.push({ chainId: id, address, protocol: '', tokens });
    }
  }

  /** What is known at the beginning of a further round: hints, and in which form quotes are taken. */
  renewed(): LearnedWorld {
    return new LearnedWorld(this.#known, this.quotesForm);
  }

  /** Takes note of every asset that stands anywhere in a response body of one chain. */
  noteAssets(json: unknown, chainId?: number): void {
    if (Array.isArray(json)) {
      for (const item of json) this.noteAssets(item, chainId);
      return;
    }
    if (!isObject(json)) return;
    const { address, decimals, price } = json;
    const chain = typeof json.chainId === 'number' ? json.chainId : chainId;
    if (isName(address) && chain !== undefined) {
      const key = `${chain}:${addressKey(address)}`;
      if (areDecimals(decimals)) note(this.#decimals, key, decimals);
      if (typeof price !== 'object' && Number(price) > 0) note(this.#prices, key, Number(price));
    }
    for (const value of Object.values(json)) this.noteAssets(value, chain);
  }

  /** Every asset whose decimals some response stated. */
  assets(): TokenAt[] {
    return [...this.#decimals.keys()].map((key) => {
      const colon = key.indexOf(':');
      return { chainId: Number(key.slice(0, colon)), address: key.slice(colon + 1) };
    });
  }

  decimalsOf(token: TokenAt): number | undefined {
    return this.#decimals.get(`${token.chainId}:${addressKey(token.address)}`);
  }

  /** USD for one whole token, if a response stated it. */
  priceOf(token: TokenAt): number | undefined {
    return this.#prices.get(`${token.chainId}:${addressKey(token.address)}`);
  }

  /** Takes note of the nodes that the configuration of a chain names. */
  noteNodes(chainId: number, chain: unknown): void {
    this.#nodes.set(chainId, urlsUnder(chain, /rpc/i).slice(0, MAX_LEARNED.nodesOfChain));
  }

  /** URLs of nodes of a chain. */
  nodesOf(chainId: number): readonly string[] {
    return this.#nodes.get(chainId) ?? [];
  }

  noteProviders(chainId: number, providers: readonly LearnedProvider[]): void {
    this.#providers.set(chainId, providers);
  }

  /** Ids of the providers of a type on a chain; hints name no types, so theirs fit every one. */
  providerIds(chainId: number, type?: string): string[] {
    const providers = this.#providers.get(chainId) ?? [];
    return providers
      .filter((provider) => type === undefined || [type, 'unknown'].includes(provider.type))
      .map(({ id }) => id);
  }

  /** Takes note of the tokens of a pool whose list names none that can be asked for. */
  noteTokens({ chainId, address }: TokenAt, tokens: readonly string[]): void {
    const at = this.pools.findIndex(
      (pool) => pool.chainId === chainId && pool.address === address && !isRoutable(pool),
    );
    const pool = this.pools[at];
    if (pool !== undefined) this.pools[at] = { ...pool, tokens };
  }

  /** Pools with an EVM address and two tokens at least, with which a route can be asked for. */
  get routablePools(): LearnedPool[] {
    return this.pools.filter(isRoutable);
  }
}

/** The http URLs that stand anywhere below a member with such a name. */
function urlsUnder(json: unknown, name: RegExp, isBelow = false): string[] {
  if (typeof json === 'string') return isBelow && isName(json) && URL.canParse(json) ? [json] : [];
  if (Array.isArray(json)) return json.flatMap((item) => urlsUnder(item, name, isBelow));
  if (!isObject(json)) return [];
  return Object.entries(json).flatMap(([key, value]) =>
    urlsUnder(value, name, isBelow || name.test(key)),
  );
}

function areDecimals(value: unknown): value is number {
  return (
    typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_DECIMALS
  );
}

function note(known: Map<string, number>, key: string, value: number): void {
  if (known.size < MAX_LEARNED.assets || known.has(key)) known.set(key, value);
}

/** Whether a route through a pool can be asked for. */
export function isRoutable({ address, tokens }: LearnedPool): boolean {
  return isEvmAddress(address) && tokens.filter(isEvmAddress).length >= 2;
}

/**
 * The addresses in the `tokens` of a pool, whose type is not shown: strings, or objects that hold an
 * address somewhere, in a list or under names; addresses as names; or one text with commas.
 */
export function tokenAddresses(tokens: unknown): string[] {
  return addressesOf(tokens).filter(isName).slice(0, MAX_LEARNED.tokensOfPool);
}

function addressesOf(tokens: unknown): string[] {
  if (typeof tokens === 'string') return tokens.split(',').map((address) => address.trim());
  if (!isObject(tokens)) return addressesIn(listOf(tokens));
  const names = Object.keys(tokens).filter(isEvmAddress);
  return names.length > 0 ? names : addressesIn(Object.values(tokens));
}

function addressesIn(items: readonly unknown[]): string[] {
  return items.map(addressIn).filter((address) => address !== undefined);
}

/** The identifier in the `protocol` of a pool, whose type is not shown: itself, or its `id`. */
export function protocolId(protocol: unknown): string | undefined {
  const id = isObject(protocol) ? member(protocol, 'id') : protocol;
  return isName(id) ? id : undefined;
}

function addressIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (!isObject(value)) return undefined;
  const named = member(value, 'address');
  if (typeof named === 'string') return named;
  for (const inner of Object.values(value)) {
    const found = isEvmAddress(inner) ? inner : isObject(inner) ? addressIn(inner) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
