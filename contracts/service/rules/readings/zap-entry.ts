import type { JsonObject } from '../../../wire/json.ts';
import { isObject } from '../../../wire/json.ts';
import { addressKey, NATIVE_TOKEN } from '../../../wire/addresses.ts';
import { isBaseUnits } from '../../../wire/amounts.ts';
import { TextMemo } from '../../../wire/text-memo.ts';

/** The lists of amount entries of a path step. */
export type ListName = 'input' | 'output' | 'fee' | 'dust';

/** An amount entry (section 2.2), as far as it can be read; rules on values judge the rest. */
export class Entry {
  readonly step: number;
  readonly list: ListName;
  readonly index: number;
  readonly json: JsonObject;
  readonly asset: JsonObject | undefined;
  /** See {@link assetKey}; undefined if chain or address cannot be read. */
  readonly key: string | undefined;
  /** Base units as written; undefined if they cannot be read. */
  readonly amountText: string | undefined;
  /** Base units as written; undefined if they cannot be read. */
  readonly minReturnText: string | undefined;
  #amount: bigint | undefined;
  #minReturn: bigint | undefined;

  constructor(json: JsonObject, step: number, list: ListName, index: number) {
    const { amount, minReturn, asset } = json;
    this.step = step;
    this.list = list;
    this.index = index;
    this.json = json;
    this.asset = isObject(asset) ? asset : undefined;
    this.key = this.asset && keyOf(this.asset);
    this.amountText = isBaseUnits(amount) ? amount : undefined;
    this.minReturnText = isBaseUnits(minReturn) ? minReturn : undefined;
  }

  /** Base units; undefined if they cannot be read. */
  get amount(): bigint | undefined {
    if (this.amountText === undefined) return undefined;
    return (this.#amount ??= BigInt(this.amountText));
  }

  /** Base units; undefined if they cannot be read. */
  get minReturn(): bigint | undefined {
    if (this.minReturnText === undefined) return undefined;
    return (this.#minReturn ??= BigInt(this.minReturnText));
  }
}

const EVM_ADDRESS_LENGTH = 42;

/** ERC standards are of EVM chains, so an address of another length there cannot be read. */
function keyOf({ chainId, address, type }: JsonObject): string | undefined {
  const isOdd = typeof address === 'string' && address.length !== EVM_ADDRESS_LENGTH;
  if (isOdd && typeof type === 'string' && type.startsWith('ERC')) return undefined;
  return assetKey(chainId, address);
}

const NATIVE_KEY = addressKey(NATIVE_TOKEN);

const MAX_KNOWN = 8_192;
/** Keys by address as spelled and by chain: a run meets the same few assets again and again. */
const keys = new TextMemo<Map<number, string>>(MAX_KNOWN);
let known = 0;

/** No chain has addresses that are longer. */
const MAX_CHARACTERS = 300;

/** The key under which an asset is found again, whatever the spelling of its address. */
export function assetKey(chainId: unknown, address: unknown): string | undefined {
  if (typeof chainId !== 'number' || typeof address !== 'string') return undefined;
  return keys.find(address)?.get(chainId) ?? newKey(chainId, address);
}

function newKey(chainId: number, address: string): string | undefined {
  if (address.length > MAX_CHARACTERS) return undefined;
  if (known >= MAX_KNOWN) {
    keys.forget();
    known = 0;
  }
  const key = `${chainId}:${addressKey(address)}`;
  const byChain = keys.find(address) ?? keys.add(address, new Map());
  byChain.set(chainId, key);
  known += 1;
  return key;
}

/** Whether an asset key is that of a native token. */
export function isNativeKey(key: string | undefined): boolean {
  return key?.endsWith(NATIVE_KEY) === true;
}

/** Whether a value is the address of native tokens. */
export function isNativeAddress(address: unknown): boolean {
  return typeof address === 'string' && addressKey(address) === NATIVE_KEY;
}

/** By which chains and libraries address the native token; nothing else is found there. */
const OTHER_NATIVES: ReadonlySet<string> = new Set([
  `0x${'0'.repeat(40)}`,
  '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0000',
  `0x${'1010'.padStart(40, '0')}`,
  `0x${'800a'.padStart(40, '0')}`,
]);

/** With which their digits begin, in any letter case: nearly all addresses begin with another. */
const FIRST_DIGITS = '0dD';

/** Whether an entry names the native token by another constant than the document's. */
export function isOtherNative({ asset }: Entry): boolean {
  const address = asset?.address;
  return (
    typeof address === 'string' &&
    FIRST_DIGITS.includes(address.charAt(2)) &&
    OTHER_NATIVES.has(addressKey(address))
  );
}

/** The chain id in an asset key. */
export function chainOf(key: string): string {
  return key.slice(0, key.indexOf(':'));
}

/** The JSON pointer to a member of an entry; to the entry when none is named. */
export function pointerTo(
  { step, list, index }: Pick<Entry, 'step' | 'list' | 'index'>,
  name?: string,
): string {
  const entry = `/data/path/${step}/${list}/${index}`;
  return name === undefined ? entry : `${entry}/${name}`;
}

/** Whether the asset is an ERC721, whose amount may be one position or its liquidity. */
export function isPosition({ asset }: Entry): boolean {
  return asset?.type === 'ERC721';
}

/** Base units of one asset in all of these entries; undefined if an amount cannot be read. */
export function sumOf(entries: readonly Entry[], key: string): bigint | undefined {
  let sum = 0n;
  for (const entry of entries) {
    if (entry.key !== key) continue;
    if (entry.amount === undefined) return undefined;
    sum += entry.amount;
  }
  return sum;
}
