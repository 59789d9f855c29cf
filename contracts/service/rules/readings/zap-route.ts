import type { JsonObject } from '../../../wire/json.ts';
import { isObject, member } from '../../../wire/json.ts';
import type { View } from '../../../judging/view.ts';
import { requestMemoOf } from '../../../judging/request-reading.ts';
import { memoOf } from '../../../judging/view.ts';
import { baseUnitsOf } from '../../../wire/amounts.ts';
import type { ListName } from './zap-entry.ts';
import { assetKey, Entry, isNativeAddress } from './zap-entry.ts';

/** The operations of the zap API that answer with a route. */
export const ROUTED: readonly string[] = ['zap.quote', 'zap.build-tx'];

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
  /** By the address alone, which is the same on every chain (section 1, convention 3). */
  readonly fromNative: boolean;
  readonly amount: bigint | undefined;
  /** Percent. */
  readonly slippage: number | undefined;
  /**
   * Whether the request is about tokens alone. With details of a position or a pool, whose fields are
   * not shown, source and amount may mean liquidity that is taken out.
   */
  readonly isPlain: boolean;
}

/** A route that was answered, beside what was asked. */
export interface Route {
  readonly data: JsonObject;
  /** None if the path is empty. */
  readonly steps: readonly Step[];
  /** All entries of all steps: inputs, outputs, fees and dust of the first, then of the next. */
  readonly entries: readonly Entry[];
  /** The output and dust entries among them that have an amount and a minReturn. */
  readonly guaranteed: readonly Entry[];
  readonly asked: Asked | undefined;
}

const ASKED = requestMemoOf(({ json }) => askedIn(json));

const ROUTE = memoOf((view) => routeIn(view.json, () => view.requestReading.get(ASKED)));

/** The route of a successful answer, read once for all rules; null when it holds none. */
export function routeOf(view: View): Route | null {
  return view.get(ROUTE);
}

/**
 * More steps, or entries in them, are no route that anybody takes. Where amounts go is asked of each
 * output beside all that follows, so that a route must not be of any length.
 */
export const MAX_STEPS = 1_000;
const MAX_ENTRIES = 2_000;

/** The route in a parsed body; null when it holds none, or one that is far too long. */
export function readRoute(json: unknown, request: unknown): Route | null {
  return routeIn(json, () => askedIn(request));
}

function askedIn(request: unknown): Asked | null {
  return isObject(request) ? readRequest(request) : null;
}

function routeIn(json: unknown, askedOf: () => Asked | null): Route | null {
  const data = member(json, 'data');
  if (!isObject(data) || !Array.isArray(data.path) || isTooLong(data.path)) return null;
  const steps = (data.path as readonly unknown[]).map(readStep);
  const entries: Entry[] = [];
  const guaranteed: Entry[] = [];
  for (const { input, output, fee, dust } of steps) {
    for (const entry of input) entries.push(entry);
    for (const entry of output) {
      entries.push(entry);
      if (isGuaranteed(entry)) guaranteed.push(entry);
    }
    for (const entry of fee) entries.push(entry);
    for (const entry of dust) {
      entries.push(entry);
      if (isGuaranteed(entry)) guaranteed.push(entry);
    }
  }
  return { data, steps, entries, guaranteed, asked: askedOf() ?? undefined };
}

function isTooLong(path: readonly unknown[]): boolean {
  if (path.length > MAX_STEPS) return true;
  let entries = 0;
  for (const step of path) {
    if (!isObject(step)) continue;
    for (const items of [step.input, step.output, step.fee, step.dust]) {
      if (Array.isArray(items)) entries += items.length;
    }
  }
  return entries > MAX_ENTRIES;
}

function isGuaranteed({ amountText, minReturnText }: Entry): boolean {
  return amountText !== undefined && minReturnText !== undefined;
}

const NONE: JsonObject = {};

function readStep(json: unknown, index: number): Step {
  const step = isObject(json) ? json : NONE;
  const { action } = step;
  const protocol = member(step.protocol, 'id');
  return {
    index,
    action: typeof action === 'string' ? action : undefined,
    protocol: typeof protocol === 'string' ? protocol : undefined,
    input: readEntries(step.input, index, 'input'),
    output: readEntries(step.output, index, 'output'),
    fee: readEntries(step.fee, index, 'fee'),
    dust: readEntries(step.dust, index, 'dust'),
  };
}

const NO_ENTRIES: readonly Entry[] = [];

function readEntries(items: unknown, step: number, list: ListName): readonly Entry[] {
  if (!Array.isArray(items) || items.length === 0) return NO_ENTRIES;
  const entries: Entry[] = [];
  for (let index = 0; index < items.length; index += 1) {
    const json: unknown = items[index];
    if (isObject(json)) entries.push(new Entry(json, step, list, index));
  }
  return entries;
}

function readRequest(body: JsonObject): Asked {
  const { slippage } = body;
  const sourceKey = assetKey(body.srcChainId, body.srcToken);
  return {
    body,
    sourceKey,
    destKey: assetKey(body.destChainId, body.destToken),
    fromNative: isNativeAddress(body.srcToken),
    amount: baseUnitsOf(body.amount),
    slippage: typeof slippage === 'number' ? slippage : undefined,
    isPlain: body.positionDetails === undefined && body.poolDetails === undefined,
  };
}

/** A sketch that is longer holds texts that are no names. */
const MAX_SKETCHED = 50_000;

/**
 * Actions, protocols and assets of a route, which a quote and its build have in common; null if
 * one of them cannot be read.
 */
export function sketchOf({ steps }: Route): string | null {
  const parts: string[] = [];
  let characters = 0;
  for (const { action, protocol, input, output } of steps) {
    const from = keysOf(input);
    const to = keysOf(output);
    if (action === undefined || protocol === undefined) return null;
    if (from === null || to === null) return null;
    const part = `${action} ${protocol} ${from} ${to}`;
    characters += part.length;
    if (characters > MAX_SKETCHED) return null;
    parts.push(part);
  }
  return parts.join('; ');
}

function keysOf(entries: readonly Entry[]): string | null {
  if (entries.length === 1) return entries[0]?.key ?? null;
  const keys = new Set<string>();
  for (const { key } of entries) {
    if (key === undefined) return null;
    keys.add(key);
  }
  return [...keys].sort().join('+');
}
