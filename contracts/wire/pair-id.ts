import { addressKey } from './addresses.ts';

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

/** A key under which two spellings of one pair meet: EVM addresses ignore letter case. */
export function pairKey(pair: Pair): string {
  return pairId({
    ...pair,
    srcToken: addressKey(pair.srcToken),
    destToken: addressKey(pair.destToken),
  });
}
