import { addressKey } from '../../wire/addresses.ts';

/** A quote pair of a trade build (document, section 2.4). */
export interface Pair {
  readonly fromChain: number;
  readonly srcToken: string;
  readonly toChain: number;
  readonly destToken: string;
}

const PAIR_ID = /^([0-9]+)_([^_-]+)-([0-9]+)_([^_-]+)$/;

/** The identifier of a pair: `<fromChain>_<srcToken>-<toChain>_<destToken>`. */
export function pairId(pair: Pair): string {
  return `${pair.fromChain}_${pair.srcToken}-${pair.toChain}_${pair.destToken}`;
}

/** The pair that an identifier names, or undefined when it is not of the documented shape. */
export function parsePairId(id: string): Pair | undefined {
  const [, fromChain, srcToken, toChain, destToken] = PAIR_ID.exec(id) ?? [];
  if (srcToken === undefined || destToken === undefined) return undefined;
  return { fromChain: Number(fromChain), srcToken, toChain: Number(toChain), destToken };
}

/** Keys by identifier, empty for what names no pair: a run asks for the same pairs again and again. */
const known = new Map<string, string>();
const MAX_KNOWN = 4_096;
/** Longer ones are not kept. */
const MAX_CHARACTERS = 300;

/** The key of the pair that an identifier names, see {@link pairKey}; undefined when it names none. */
export function keyOfPairId(id: string): string | undefined {
  if (id.length > MAX_CHARACTERS) return computedKey(id) || undefined;
  let key = known.get(id);
  if (key === undefined) {
    if (known.size >= MAX_KNOWN) known.clear();
    key = computedKey(id);
    known.set(id, key);
  }
  return key === '' ? undefined : key;
}

function computedKey(id: string): string {
  const pair = parsePairId(id);
  return pair === undefined ? '' : pairKey(pair);
}

/** A key under which two spellings of one pair meet: EVM addresses ignore letter case. */
export function pairKey(pair: Pair): string {
  return pairId({
    ...pair,
    srcToken: addressKey(pair.srcToken),
    destToken: addressKey(pair.destToken),
  });
}
