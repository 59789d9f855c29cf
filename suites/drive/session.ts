import type { Exchange } from '../../contracts/wire/exchange.ts';
import { jsonOrUndefined } from '../../contracts/wire/parse-json.ts';
import type { ClientRequest } from '../../target/transport/client.ts';
import type { KnownChain, Session } from '../driven-service.ts';

/** The parsed JSON body of a 2xx answer, or undefined. */
export function successJson(exchange: Exchange): unknown {
  return jsonOrUndefined(successText(exchange));
}

/** The body of a 2xx answer; empty for any other. */
export function successText({ outcome }: Exchange): string {
  if (outcome.kind !== 'response') return '';
  const { status, body } = outcome.response;
  return status < 200 || status > 299 ? '' : body.text;
}

/** Statuses that say that the service is not available at the moment (RFC 9110 section 15.6). */
const OUTAGES: readonly number[] = [502, 503, 504];
const MAX_ATTEMPTS = 3;

/**
 * Sends a request that the document obliges the service to take. During an outage it is sent again,
 * each attempt an exchange of its own, as long as the session has such repetitions left.
 */
export async function sendValid(
  session: Session,
  request: Omit<ClientRequest, 'purpose'>,
): Promise<unknown> {
  let exchange = await session.client.send({ ...request, purpose: { kind: 'valid' } });
  for (let attempts = 1; attempts < MAX_ATTEMPTS && isOutage(exchange); attempts += 1) {
    if (session.repetitionsLeft <= 0) break;
    session.repetitionsLeft -= 1;
    exchange = await session.client.send({ ...request, purpose: { kind: 'valid' } });
  }
  return successJson(exchange);
}

function isOutage({ outcome }: Exchange): boolean {
  return outcome.kind === 'response' && OUTAGES.includes(outcome.response.status);
}

/** A service that stays unavailable is asked at most this often without success. */
const MAX_REPETITIONS = 20;

/** What a session is made of: all but what is counted in it, and what hints say of the target. */
export interface SessionOptions<World = unknown> extends Omit<
  Session<World>,
  'world' | 'repetitionsLeft' | 'groupCount'
> {
  readonly known: readonly KnownChain[];
}

/** A session over a client; nothing is learned yet but what hints say. */
export function createSession<World>({ known, ...options }: SessionOptions<World>): Session<World> {
  const world = options.service.createWorld(known);
  return { ...options, world, repetitionsLeft: MAX_REPETITIONS, groupCount: 0 };
}

/** The same session except for these members; what is counted in one counts in the other. */
export function sessionWith<World>(
  session: Session<World>,
  changes: Partial<Pick<Session<World>, 'client' | 'random' | 'world'>>,
): Session<World> {
  return {
    ...session,
    ...changes,
    get groupCount() {
      return session.groupCount;
    },
    set groupCount(count) {
      session.groupCount = count;
    },
    get repetitionsLeft() {
      return session.repetitionsLeft;
    },
    set repetitionsLeft(count) {
      session.repetitionsLeft = count;
    },
  };
}
