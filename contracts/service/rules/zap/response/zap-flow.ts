import { isGreater } from '../../../../wire/amounts.ts';
import type { Entry } from '../../readings/zap-entry.ts';
import { chainOf, isNativeKey } from '../../readings/zap-entry.ts';
import type { Asked, Route } from '../../readings/zap-route.ts';

/** More of an asset going into a step than there was of it. */
export interface Shortfall {
  readonly entry: Entry;
  readonly had: bigint;
}

/** Where the amounts of a route come from and go to. */
export interface Flow {
  /** Base units of the source token that the steps took from the source. */
  readonly drawn: bigint;
  readonly shortfalls: readonly Shortfall[];
}

/** The native token and the token that wraps it have prices this close. */
const SAME_PRICE = 0.01;

/**
 * Follows amounts through the steps of a route: what an input takes is there from earlier outputs or
 * leftovers, or comes from the source. A second look takes the native token and its wrapper for one,
 * since a router may wrap in passing.
 *
 * @returns undefined if an amount or asset cannot be read
 */
export function flowOf(route: Route, asked: Asked): Flow | undefined {
  if (last?.route !== route || last.asked !== asked) {
    last = { route, asked, flow: followed(route, asked) };
  }
  return last.flow;
}

/** The route followed last: several rules ask about the same one. */
let last:
  { readonly route: Route; readonly asked: Asked; readonly flow: Flow | undefined } | undefined;

function followed(route: Route, asked: Asked): Flow | undefined {
  const chain = chainFlow(route, asked);
  if (chain !== undefined) return chain;
  const flow = follow(route, asked, undefined);
  if (flow === undefined || flow.shortfalls.length === 0) return flow;
  const aliases = wrappersOf(route);
  return aliases.size === 0 ? flow : follow(route, asked, aliases);
}

/**
 * The flow of the most common route, from the source through one asset after the other. Each step
 * takes one asset, no more of it than the step before yields, and yields one. Undefined if more than
 * that is to be followed.
 */
export function chainFlow({ steps }: Route, { sourceKey }: Asked): Flow | undefined {
  let last: Entry | undefined;
  for (const { input, output, dust } of steps) {
    const from = input[0];
    const to = output[0];
    if (input.length !== 1 || output.length !== 1) return undefined;
    if (from === undefined || to === undefined || !isReadable(from) || !isReadable(to)) {
      return undefined;
    }
    if (!dust.every(isReadable)) return undefined;
    if (from.key !== (last === undefined ? sourceKey : last.key)) return undefined;
    if (last !== undefined && isGreater(from.amountText ?? '', last.amountText ?? ''))
      return undefined;
    last = to;
  }
  const drawn = steps[0]?.input[0]?.amount;
  return drawn === undefined ? undefined : { drawn, shortfalls: [] };
}

function isReadable({ amountText, key }: Entry): boolean {
  return amountText !== undefined && key !== undefined;
}

function follow(
  { steps }: Route,
  { sourceKey }: Asked,
  aliases: ReadonlyMap<string, string> | undefined,
): Flow | undefined {
  if (sourceKey === undefined) return undefined;
  const same = (key: string): string => aliases?.get(key) ?? key;
  const source = same(sourceKey);
  const held = new Map<string, bigint>();
  const shortfalls: Shortfall[] = [];
  let drawn = 0n;
  for (const { input, output, dust } of steps) {
    for (const entry of input) {
      if (entry.amount === undefined || entry.key === undefined) return undefined;
      const key = same(entry.key);
      const had = held.get(key) ?? 0n;
      held.set(key, had > entry.amount ? had - entry.amount : 0n);
      if (had >= entry.amount) continue;
      if (key === source) drawn += entry.amount - had;
      // A bridge may take a fee for its message in the native token beside what it carries.
      else if (input.length === 1 || !isNativeKey(entry.key)) shortfalls.push({ entry, had });
    }
    for (const { amount, key } of output) {
      if (amount === undefined || key === undefined) return undefined;
      held.set(same(key), (held.get(same(key)) ?? 0n) + amount);
    }
    for (const { amount, key } of dust) {
      if (amount === undefined || key === undefined) return undefined;
      held.set(same(key), (held.get(same(key)) ?? 0n) + amount);
    }
  }
  return { drawn, shortfalls };
}

/** Asset keys by that of the native token which they seem to wrap: one price, the same decimals. */
export function wrappersOf({ steps }: Route): ReadonlyMap<string, string> {
  const assets = new Map<string, Entry>();
  for (const { input, output } of steps) {
    for (const entry of [...input, ...output]) {
      if (entry.key !== undefined) assets.set(entry.key, entry);
    }
  }
  const wrappers = new Map<string, string>();
  for (const [native, { asset: coin }] of assets) {
    if (!isNativeKey(native)) continue;
    for (const [key, { asset }] of assets) {
      if (key === native || chainOf(key) !== chainOf(native)) continue;
      if (asset?.decimals !== coin?.decimals) continue;
      const [one, other] = [Number(asset?.price), Number(coin?.price)];
      if (Math.abs(one - other) <= SAME_PRICE * Math.max(one, other)) wrappers.set(key, native);
    }
  }
  return wrappers;
}
