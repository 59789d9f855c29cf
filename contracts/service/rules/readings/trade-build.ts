import type { JsonObject } from '../../../wire/json.ts';
import { isObject, listOf, member, pointerStep } from '../../../wire/json.ts';
import type { View } from '../../../judging/view.ts';
import { memoOf } from '../../../judging/view.ts';
import type { Pair } from '../../wire/pair-id.ts';
import { keyOfPairId, pairId, pairKey } from '../../wire/pair-id.ts';

/** Trade builds as their rules see them (document, sections 2.3 and 2.4). */

/** The operation that they are answered by. */
export const BUILD: readonly string[] = ['trade.build-tx'];

/** An entry of the request's `data` that names its pair. */
export interface AskedEntry {
  /** The pair's identifier, addresses spelt as in the request. */
  readonly id: string;
  readonly fields: JsonObject;
  /** Whether the request has another entry of this pair, so that the map has one place for both. */
  readonly repeated: boolean;
}

/** A quote summary under its key. */
export interface Quoted {
  readonly id: string;
  /** The pair that the key names in any spelling; undefined when it names none. */
  readonly key: string | undefined;
  readonly summary: unknown;
}

/** A build response beside its request. */
export interface Build {
  readonly request: JsonObject;
  readonly response: JsonObject;
  /** By pair key; undefined when an entry of the request does not name its pair. */
  readonly asked: ReadonlyMap<string, AskedEntry> | undefined;
  /** Undefined when the response holds no map of quotes. */
  readonly quotes: readonly Quoted[] | undefined;
}

const BUILD_MEMO = memoOf((view) => readBuild(view.requestJson, view.json));

/** The build of an exchange; null if request or response is no JSON object. */
export function buildOf(view: View): Build | null {
  return view.get(BUILD_MEMO);
}

function readBuild(request: unknown, response: unknown): Build | null {
  if (!isObject(request) || !isObject(response)) return null;
  return { request, response, asked: askedOf(request), quotes: quotesOf(response.quotes) };
}

function askedOf(request: JsonObject): ReadonlyMap<string, AskedEntry> | undefined {
  const { fromChain } = request;
  if (typeof fromChain !== 'number') return undefined;
  const asked = new Map<string, AskedEntry>();
  for (const fields of listOf(request.data)) {
    if (!isObject(fields)) return undefined;
    const { srcToken, destToken, toChain } = fields;
    if (typeof srcToken !== 'string' || typeof destToken !== 'string') return undefined;
    if (typeof toChain !== 'number') return undefined;
    const pair: Pair = { fromChain, srcToken, toChain, destToken };
    const key = pairKey(pair);
    asked.set(key, { id: pairId(pair), fields, repeated: asked.has(key) });
  }
  return asked.size === 0 ? undefined : asked;
}

function quotesOf(quotes: unknown): readonly Quoted[] | undefined {
  if (!isObject(quotes)) return undefined;
  return Object.keys(quotes).map((id) => ({ id, key: keyOfPairId(id), summary: quotes[id] }));
}

/** A quote summary beside the one entry of the request that asked for it. */
export interface Answered {
  readonly key: string;
  readonly summary: JsonObject;
  readonly entry: JsonObject;
  /** Of the summary. */
  readonly pointer: string;
}

/** Every summary of which the request says without doubt what was asked. */
export function answeredIn({ asked, quotes }: Build): Answered[] {
  const answered: Answered[] = [];
  for (const { id, key, summary } of quotes ?? []) {
    const entry = key === undefined ? undefined : asked?.get(key);
    if (key === undefined || entry === undefined || entry.repeated || !isObject(summary)) continue;
    answered.push({ key, summary, entry: entry.fields, pointer: `/quotes${pointerStep(id)}` });
  }
  return answered;
}

/** The transaction of a build that is not gasless, which section 2.4 shows; else undefined. */
export function evmTransactionOf(json: unknown): JsonObject | undefined {
  const transaction = member(json, 'transaction');
  return member(json, 'gasless') === false && isObject(transaction) ? transaction : undefined;
}

const QUANTITY = /^(?:0|[1-9][0-9]{0,999}|0x[0-9a-fA-F]{1,64})$/;

/** A quantity of an EVM payload, decimal or hex; undefined when it is neither. */
export function quantityOf(value: unknown): bigint | undefined {
  return typeof value === 'string' && QUANTITY.test(value) ? BigInt(value) : undefined;
}
