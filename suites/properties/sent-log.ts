import type { Client, ClientRequest } from '../../fixtures/target/client.ts';
import type { Exchange, Relation } from '../../contracts/wire/exchange.ts';
import type { TriedRequest } from '../drive/trials.ts';

/** A request as it was sent. */
export interface SentRequest {
  readonly request: TriedRequest;
  /** Its places in relations. */
  readonly relations: readonly Relation[];
  /** Where it comes from, e.g. `drive:17`, the drive's 17th request, or `zap.quote:3`. */
  readonly origin: string;
}

/** What was asked in a run, so that it can be asked again. */
export interface SentLog {
  readonly requestOf: (exchangeId: string) => SentRequest | undefined;
  /** All requests of a group of a relation, in the order of sending. */
  readonly groupOf: (relation: Pick<Relation, 'kind' | 'group'>) => readonly SentRequest[];
}

/** Thrown in place of the request after the one that a replay asks for. */
export class ReplayEnded extends Error {
  override readonly name = 'ReplayEnded';
}

/** A client that remembers what it sent, by where it came from. */
export interface LoggingClient {
  readonly client: Client;
  readonly log: SentLog;
  /** What is sent from now on belongs to a generated case; to the drive again when undefined. */
  readonly mark: (origin: string | undefined) => void;
  /** Lets requests through again after {@link ReplayEnded}. */
  readonly resume: () => void;
}

/**
 * Wraps a client; answers are not kept.
 *
 * @param lastOrigin the drive's request after which everything ends with {@link ReplayEnded}
 */
export function logging(client: Client, lastOrigin?: string): LoggingClient {
  const sent = new Map<string, SentRequest>();
  let marked: string | undefined;
  let driven = 0;
  let hasEnded = false;
  async function send(request: ClientRequest): Promise<Exchange> {
    if (hasEnded) throw new ReplayEnded();
    if (marked === undefined) driven += 1;
    const origin = marked ?? `drive:${driven}`;
    hasEnded = origin === lastOrigin && marked === undefined;
    const exchange = await client.send(request);
    const { relations = [], ...asked } = request;
    sent.set(exchange.id, { request: asked, relations, origin });
    return exchange;
  }
  return {
    client: { send, listen: (listener) => client.listen(listener) },
    log: {
      requestOf: (id) => sent.get(id),
      groupOf: ({ kind, group }) =>
        [...sent.values()].filter(({ relations }) =>
          relations.some((one) => one.kind === kind && one.group === group),
        ),
    },
    mark: (origin) => {
      marked = origin;
    },
    resume: () => {
      hasEnded = false;
    },
  };
}
