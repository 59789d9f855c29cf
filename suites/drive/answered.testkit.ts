import type { Contract } from '../../contracts/document/schema.ts';
import type { ExchangeSketch } from '../../contracts/judging/exchange.testkit.ts';
import { exchangeOf } from '../../contracts/judging/exchange.testkit.ts';
import { PROFILES } from '../../contracts/judging/profile.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import type { Client, ClientRequest, ExchangeListener } from '../../target/transport/client.ts';
import { createRandom } from './random.ts';
import type { Session } from '../driven-service.ts';
import { DRIVEN } from '../service/driving.ts';
import { createSession } from './session.ts';

/** What a service answers to a request, which is the `number`th of all, from 1. */
export type Answering = (request: ClientRequest, number: number) => ExchangeSketch;

/** A session whose requests a function answers at once, and all that was sent. */
export interface Answered {
  readonly session: Session;
  readonly sent: readonly ClientRequest[];
}

/** Without a transport, a budget and a record: for tests of what is sent, and in which order. */
export function answered(contract: Contract, answering: Answering): Answered {
  const sent: ClientRequest[] = [];
  const listeners = new Set<ExchangeListener>();
  const client: Client = {
    send: (request) => {
      sent.push(request);
      const exchange = exchangeTo(request, answering(request, sent.length), sent.length);
      for (const listener of listeners) listener(exchange, request);
      return Promise.resolve(exchange);
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const session = createSession({
    ...{ client, contract, random: createRandom(1), known: [], depth: PROFILES.gate },
    service: DRIVEN,
    apis: new Set(['zap', 'trade', 'docs'] as const),
    keyedCredential: 'none',
    progress: () => undefined,
  });
  return { session, sent };
}

function exchangeTo(request: ClientRequest, answer: ExchangeSketch, number: number): Exchange {
  const { api, method, path, purpose, relations = [], headers = [], json, rawBody } = request;
  const id = `x${String(number).padStart(5, '0')}`;
  const exchange = exchangeOf({ id, api, method, path, purpose, ...answer });
  const text = json === undefined ? rawBody : JSON.stringify(json);
  const body = typeof text === 'string' ? ({ encoding: 'utf8', text } as const) : null;
  return { ...exchange, relations, request: { ...exchange.request, headers, body } };
}
