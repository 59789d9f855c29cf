import type { Exchange, Outcome } from '../../contracts/wire/exchange.ts';
import type { ErrorReading } from '../../contracts/wire/error-reading.ts';
import { jsonOrUndefined } from '../../contracts/wire/parse-json.ts';
import { bodyOf } from '../body/body.ts';
import type { Clock } from '../budget/clock.ts';
import type { Governor, Settlement } from '../budget/governor.ts';
import type { Recorder } from '../record/recorder.ts';
import type { ClientRequest } from './client-request.ts';
import { outgoingOf, type OutgoingOptions } from './outgoing.ts';
import type { OutgoingRequest, Transport, TransportResult } from './transport.ts';

export type { ClientRequest, Credential } from './client-request.ts';
export { ApiNotConfigured, CredentialMissing, CredentialUnchangeable } from './outgoing.ts';

/** Called with every exchange, redacted, once it has ended, and with the request as it was asked for. */
export type ExchangeListener = (exchange: Exchange, request: ClientRequest) => void;

/** Sends requests to a target, inside its budget, every one recorded. */
export interface Client {
  /**
   * Sends a request. When it is throttled it is sent again after the governor's wait, each attempt
   * an exchange of its own; returns the last, redacted as recorded. A redirect is an answer.
   *
   * @throws {ApiNotConfigured} before anything is sent
   * @throws {CredentialMissing} before anything is sent
   * @throws {CredentialUnchangeable} before anything is sent
   * @throws {BudgetExceeded} when the budget does not allow an attempt
   * @throws {Interrupted} when the run is interrupted, also between attempts
   * @throws {ApiUnreachable} when the API has stopped answering
   * @throws {UnsendableRequest} when the request is not valid HTTP
   */
  send(request: ClientRequest): Promise<Exchange>;
  /** Adds a listener; the result takes it off again. */
  listen(listener: ExchangeListener): () => void;
}

/** Options of {@link createClient}. */
export interface ClientOptions extends OutgoingOptions {
  readonly transport: Transport;
  readonly governor: Governor;
  readonly clock: Clock;
  readonly recorder?: Pick<Recorder, 'record'>;
  readonly listeners?: readonly ExchangeListener[];
  /** How often a throttled request is sent in all; default 4. */
  readonly attempts?: number;
  /** Names the next exchange, if several clients send in one run; counted from `x00001` when absent. */
  readonly nextId?: () => string;
  /** Which answers are throttled, by status and parsed body. */
  readonly isThrottled: ErrorReading['isThrottled'];
}

const MAX_ATTEMPTS = 4;

/** The ids of a run, from `x00001` on. */
export function exchangeIds(): () => string {
  let sent = 0;
  return () => {
    sent += 1;
    return `x${String(sent).padStart(5, '0')}`;
  };
}

/** A client; ids begin at `x00001`. */
export function createClient(options: ClientOptions): Client {
  const { transport, redactor, governor, clock } = options;
  const listeners = new Set(options.listeners);
  const { attempts: most = MAX_ATTEMPTS } = options;
  const nextId = options.nextId ?? exchangeIds();

  async function attempt(request: ClientRequest, outgoing: OutgoingRequest): Promise<Attempt> {
    const ticket = await governor.admit(request.api);
    const id = nextId();
    const sentAtMs = clock.nowMs();
    const onDeparture = (): void => {
      governor.departed(ticket);
    };
    let arrivedAtMs: number | undefined;
    const onArrival = (): void => {
      arrivedAtMs = clock.nowMs();
    };
    const result = await transport({ ...outgoing, onDeparture, onArrival }).catch(
      (error: unknown) => {
        // Nothing was sent, and the requests after it do not wait for it to leave.
        onDeparture();
        throw error;
      },
    );
    const latencyMs = Math.max(0, (arrivedAtMs ?? clock.nowMs()) - sentAtMs);
    const json = jsonOf(result, request.secretsIn !== undefined);
    const settlement = settlementOf(result, json, options.isThrottled);
    governor.settle(ticket, settlement);
    if (isSuccess(result)) {
      const secrets = request.secretsIn?.(json) ?? {};
      for (const [name, value] of Object.entries(secrets)) redactor.learn(name, value);
    }
    const asItWas: Exchange = {
      id,
      api: request.api,
      purpose: request.purpose,
      relations: request.relations ?? [],
      request: {
        method: outgoing.method,
        url: outgoing.url,
        path: request.path,
        headers: outgoing.headers,
        body: outgoing.body === null ? null : bodyOf(outgoing.body),
      },
      outcome: outcomeOf(result),
      sentAtMs: roundToMicros(sentAtMs),
      latencyMs: roundToMicros(latencyMs),
    };
    const exchange = redactor.exchange(asItWas, { claims: request.secretsIn !== undefined });
    options.recorder?.record(exchange);
    for (const listener of listeners) listener(exchange, request);
    return { exchange, throttled: settlement.kind === 'throttled' };
  }

  return {
    async send(request) {
      const outgoing = outgoingOf(request, options);
      let last = await attempt(request, outgoing);
      const { attempts: mostOfThis = most } = request;
      for (let attempts = 1; last.throttled && attempts < mostOfThis; attempts += 1) {
        last = await attempt(request, outgoing);
      }
      return last.exchange;
    },
    listen(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

interface Attempt {
  readonly exchange: Exchange;
  readonly throttled: boolean;
}

/** The parsed body, if somebody will look at it: throttling is read off errors alone. */
function jsonOf(result: TransportResult, always: boolean): unknown {
  if (result.kind === 'failure' || (result.status < 400 && !always)) return undefined;
  return jsonOrUndefined(Buffer.from(result.body).toString('utf8'));
}

function isSuccess(result: TransportResult): boolean {
  return result.kind === 'response' && result.status >= 200 && result.status < 300;
}

function settlementOf(
  result: TransportResult,
  json: unknown,
  isThrottled: ErrorReading['isThrottled'],
): Settlement {
  if (result.kind === 'failure') {
    return { kind: 'failed', failure: result.failure, message: result.message };
  }
  return isThrottled(result.status, json)
    ? { kind: 'throttled', json, headers: result.headers }
    : { kind: 'answered' };
}

function outcomeOf(result: TransportResult): Outcome {
  if (result.kind === 'failure') return result;
  const { status, headers, body } = result;
  return { kind: 'response', response: { status, headers, body: bodyOf(body) } };
}

/** Times are measured no finer; more digits would only make records longer. */
function roundToMicros(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
