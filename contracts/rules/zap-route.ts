import type { JsonObject } from '../json.ts';
import { isObject, member } from '../json.ts';
import type { View } from '../view.ts';
import { addressKey, NATIVE_TOKEN } from '../wire/addresses.ts';
import { baseUnitsOf } from '../wire/amounts.ts';

/** The operations of the zap API that answer with a route. */
export const ROUTED: readonly string[] = ['zap.quote', 'zap.build-tx'];

/** The lists of amount entries of a path step. */
export type ListName = 'input' | 'output' | 'fee' | 'dust';

/** An amount entry (section 2.2), as far as it can be read; rules on values judge the rest. */
export interface Entry {
  readonly step: number;
  readonly list: ListName;
  readonly index: number;
  readonly json: JsonObject;
  readonly asset: JsonObject | undefined;
  /** Base units; undefined where they cannot be read. */
  readonly amount: bigint | undefined;
  /** See {@link assetKey}; undefined where chain or address cannot be read. */
  readonly key: string | undefined;
}

/** A path step (section 2.2). */
export interface Step extends Readonly<Record<ListName, readonly Entry[]>> {
  readonly index: number;
  readonly action: string | undefined;
  readonly protocol: string | undefined;
}

/** What a zap request (section 2.1) asks for. */
export interface Asked {
  readonly body: JsonObject;
  readonly sourceKey: string | undefined;
  readonly destKey: string | undefined;
  readonly fromNative: boolean;
  readonly amount: bigint | undefined;
  /** Percent. */
  readonly slippage: number | undefined;
  /**
   * Whether the request is about tokens alone: with details of a position or a pool, whose fields are
   * not shown, source and amount may mean liquidity that is taken out.
   */
  readonly isPlain: boolean;
}

/** A route that was answered, beside what was asked. */
export interface Route {
  readonly data: JsonObject;
  /** At least one. */
  readonly steps: readonly Step[];
  readonly asked: Asked | undefined;
}

const NATIVE_KEY = addressKey(NATIVE_TOKEN);

/** Keys by chain and by address as spelled: a run meets the same few assets again and again. */
const keys = new Map<number, Map<string, string>>();
const MOST_KNOWN = 4_096;

/** The key under which an asset is found again, whatever the spelling of its address. */
export function assetKey(chainId: unknown, address: unknown): string | undefined {
  if (typeof chainId !== 'number' || typeof address !== 'string') return undefined;
  let ofChain = keys.get(chainId);
  if (ofChain === undefined) {
    if (keys.size >= MOST_KNOWN) keys.clear();
    ofChain = new Map<string, string>();
    keys.set(chainId, ofChain);
  }
  let key = ofChain.get(address);
  if (key === undefined) {
    if (ofChain.size >= MOST_KNOWN) ofChain.clear();
    ofChain.set(address, (key = `${chainId}:${addressKey(address)}`));
  }
  return key;
}

/** Whether an asset key is that of a native token. */
export function isNativeKey(key: string | undefined): boolean {
  return key?.endsWith(NATIVE_KEY) === true;
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

const ROUTE = Symbol('zap route');

/** The route of a successful answer, read once for all rules; null when it holds none. */
export function routeOf(view: View): Route | null {
  return view.memo(ROUTE, () => readRoute(view.json, view.requestJson));
}

/** The route in a parsed body; null when it holds none. */
export function readRoute(json: unknown, request: unknown): Route | null {
  const data = member(json, 'data');
  if (!isObject(data) || !Array.isArray(data.path) || data.path.length === 0) return null;
  const steps = (data.path as readonly unknown[]).map(readStep);
  return { data, steps, asked: isObject(request) ? readRequest(request) : undefined };
}

function readStep(json: unknown, index: number): Step {
  const [action, protocol] = [member(json, 'action'), member(member(json, 'protocol'), 'id')];
  return {
    index,
    action: typeof action === 'string' ? action : undefined,
    protocol: typeof protocol === 'string' ? protocol : undefined,
    input: readEntries(json, index, 'input'),
    output: readEntries(json, index, 'output'),
    fee: readEntries(json, index, 'fee'),
    dust: readEntries(json, index, 'dust'),
  };
}

const NONE: readonly Entry[] = [];

function readEntries(step: unknown, index: number, list: ListName): readonly Entry[] {
  const items = member(step, list);
  if (!Array.isArray(items) || items.length === 0) return NONE;
  const entries: Entry[] = [];
  for (const [position, json] of (items as readonly unknown[]).entries()) {
    if (!isObject(json)) continue;
    const asset = isObject(json.asset) ? json.asset : undefined;
    const amount = baseUnitsOf(json.amount);
    const key = asset && keyOf(asset);
    entries.push({ step: index, list, index: position, json, asset, amount, key });
  }
  return entries;
}

const EVM_ADDRESS_LENGTH = 42;

/** ERC standards are of EVM chains, so an address of another length there cannot be read. */
function keyOf({ chainId, address, type }: JsonObject): string | undefined {
  const isOdd = typeof address === 'string' && address.length !== EVM_ADDRESS_LENGTH;
  if (isOdd && typeof type === 'string' && type.startsWith('ERC')) return undefined;
  return assetKey(chainId, address);
}

function readRequest(body: JsonObject): Asked {
  const { slippage } = body;
  const sourceKey = assetKey(body.srcChainId, body.srcToken);
  return {
    body,
    sourceKey,
    destKey: assetKey(body.destChainId, body.destToken),
    fromNative: isNativeKey(sourceKey),
    amount: baseUnitsOf(body.amount),
    slippage: typeof slippage === 'number' ? slippage : undefined,
    isPlain: body.positionDetails === undefined && body.poolDetails === undefined,
  };
}

/** Whether the asset is an ERC721, whose amount may be one position or its liquidity. */
export function isPosition({ asset }: Entry): boolean {
  return asset?.type === 'ERC721';
}

/**
 * Actions, protocols and assets of a route, which a quote and its build have in common; null where
 * one of them cannot be read.
 */
export function sketchOf({ steps }: Route): string | null {
  const parts: string[] = [];
  for (const { action, protocol, input, output } of steps) {
    const [from, to] = [keysOf(input), keysOf(output)];
    if (action === undefined || protocol === undefined) return null;
    if (from === null || to === null) return null;
    parts.push(`${action} ${protocol} ${from} ${to}`);
  }
  return parts.join('; ');
}

function keysOf(entries: readonly Entry[]): string | null {
  const keys = new Set<string>();
  for (const { key } of entries) {
    if (key === undefined) return null;
    keys.add(key);
  }
  return [...keys].sort().join('+');
}
