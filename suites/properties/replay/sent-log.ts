import type { Client, ClientRequest } from '../../../target/transport/client.ts';
import type { Exchange, Relation } from '../../../contracts/wire/exchange.ts';
import { PackedList } from '../../../contracts/judging/packed-list.ts';
import type { TriedRequest } from '../../drive/tried-request.ts';

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
  /** What is sent from now on is counted from the start, as that of a round of the drive: `round2:17`. */
  readonly beginRound: (name: string) => void;
  /** Lets requests through again after {@link ReplayEnded}. */
  readonly resume: () => void;
}

/** A request as plain data: a body of bytes in base64, and without what only a program can hold. */
type RequestData = Omit<TriedRequest, 'secretsIn' | 'rawBody'> & {
  readonly rawBody?: string | { readonly base64: string };
};

interface Sent extends Omit<SentRequest, 'request'> {
  readonly request: RequestData;
}

function dataOf({ rawBody, ...request }: Omit<TriedRequest, 'secretsIn'>): RequestData {
  if (rawBody === undefined) return request;
  const isText = typeof rawBody === 'string';
  return {
    ...request,
    rawBody: isText ? rawBody : { base64: Buffer.from(rawBody).toString('base64') },
  };
}

function requestOf({ rawBody, ...request }: RequestData): TriedRequest {
  if (rawBody === undefined) return request;
  const isText = typeof rawBody === 'string';
  return { ...request, rawBody: isText ? rawBody : Buffer.from(rawBody.base64, 'base64') };
}

/**
 * Wraps a client; answers are not kept.
 *
 * @param lastOrigin the drive's request after which everything ends with {@link ReplayEnded}
 */
export function logging(client: Client, lastOrigin?: string): LoggingClient {
  const sent = new PackedList<Sent>();
  const learning = new Map<number, NonNullable<TriedRequest['secretsIn']>>();
  const places = new Map<string, number>();
  const groups = new Map<string, number[]>();
  let marked: string | undefined;
  let round = 'drive';
  let driven = 0;
  let hasEnded = false;
  function sentAt(place: number | undefined): SentRequest | undefined {
    const found = place === undefined ? undefined : sent.at(place);
    if (place === undefined || found === undefined) return undefined;
    const secretsIn = learning.get(place);
    const request = requestOf(found.request);
    return { ...found, request: secretsIn === undefined ? request : { ...request, secretsIn } };
  }
  async function send(request: ClientRequest): Promise<Exchange> {
    if (hasEnded) throw new ReplayEnded();
    if (marked === undefined) driven += 1;
    const origin = marked ?? `${round}:${driven}`;
    hasEnded = origin === lastOrigin && marked === undefined;
    const exchange = await client.send(request);
    const { relations = [], ...asked } = request;
    const { secretsIn, ...plain } = asked;
    const place = sent.add({ request: dataOf(plain), relations, origin });
    if (secretsIn !== undefined) learning.set(place, secretsIn);
    places.set(exchange.id, place);
    for (const { kind, group } of relations) {
      const key = `${kind} ${group}`;
      const members = groups.get(key);
      if (members === undefined) groups.set(key, [place]);
      else members.push(place);
    }
    return exchange;
  }
  return {
    client: { send, listen: (listener) => client.listen(listener) },
    log: {
      requestOf: (id) => sentAt(places.get(id)),
      groupOf: ({ kind, group }) =>
        (groups.get(`${kind} ${group}`) ?? []).flatMap((place) => sentAt(place) ?? []),
    },
    mark: (origin) => {
      marked = origin;
    },
    beginRound: (name) => {
      marked = undefined;
      round = name;
      driven = 0;
    },
    resume: () => {
      hasEnded = false;
    },
  };
}
