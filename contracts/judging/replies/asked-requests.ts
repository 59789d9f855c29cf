import { isOfTheFront, replyOf, saidBy } from './reply.ts';
import type { View } from '../view.ts';
import type { Asked } from '../findings/pieces.ts';
import { OutageRows } from './outage-rows.ts';
import {
  type ApiName,
  type Exchange,
  type RecordedRequest,
  SIMULTANEOUS,
} from '../../wire/exchange.ts';
import { hashOf } from '../../wire/text-hash.ts';

/** More of a body is not read. */
const MAX_CHARACTERS = 20_000;
/** What differs each time that the same is asked. */
const FRESH = ['idempotency-key', 'user-agent'];

/** The requests of a run by number, as far as they show whether the same was asked under the same conditions. */
export class AskedRequests {
  readonly #names: number[] = [];
  readonly #kinds: number[] = [];
  readonly #operations: (string | undefined)[] = [];
  readonly outages: OutageRows = new OutageRows(this);

  /** @returns the number of the request, from 0 */
  add(view: View): number {
    const { exchange, operation } = view;
    const number = this.#names.push(nameOf(exchange)) - 1;
    this.#operations.push(operation?.id);
    this.#kinds.push(hashOf(`${conditionsOf(exchange)}\n${operation?.id ?? ''}`));
    // Requests that a driver knows nothing about may be those of many.
    if (exchange.purpose.kind === 'unknown' || isOfTheFront(view)) return number;
    const { id, api } = exchange;
    const reply = replyOf(view);
    const said = reply === 'served' ? undefined : saidBy(view);
    this.outages.add({ number, id, api, operation: operation?.id, reply, said });
    return number;
  }

  /** What a rule of an API knows of them. */
  of(api: ApiName): Asked {
    return {
      nameOf: (number) => this.nameOf(number),
      kindOf: (number) => this.#kinds[number] ?? -1,
      operationOf: (number) => this.operationOf(number),
      isOut: (number) => this.outages.isOut(api, number),
    };
  }

  /** What requests have in common that ask the same; two others in 10¹² share one. */
  nameOf(number: number): number {
    return this.#names[number] ?? -1;
  }

  /** The operation of the contract that a request addresses; undefined of others. */
  operationOf(number: number): string | undefined {
    return this.#operations[number];
  }
}

/** What an exchange has in common with those that ask the same, in any run; two others in 10¹² share one. */
export function nameOf(exchange: Exchange): number {
  return hashOf([conditionsOf(exchange), ...partsOf(exchange.request)].join('\n'));
}

/** Under what conditions a request is sent. */
function conditionsOf({ api, purpose, relations }: Exchange): string {
  const isAtOnce = relations.some(({ kind }) => kind === SIMULTANEOUS);
  return [api, purpose.kind, isAtOnce ? 'at once' : ''].join('\n');
}

/** A request without what differs each time that the same is asked. */
function partsOf({ method, path, headers, body }: RecordedRequest): string[] {
  const kept = headers
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !FRESH.includes(name))
    .map((field) => field.join(':'));
  const text = body?.text ?? '';
  return [method, path, ...kept.toSorted(), String(text.length), text.slice(0, MAX_CHARACTERS)];
}
