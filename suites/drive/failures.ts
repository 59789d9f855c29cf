import type { Exchange } from '../../contracts/wire/exchange.ts';
import { headerOf } from '../../contracts/wire/exchange.ts';
import { jsonOrUndefined } from '../../contracts/wire/parse-json.ts';
import type { ClientRequest } from '../../fixtures/target/transport/client.ts';
import type { Session } from '../driven-service.ts';

/** Asks again for what the service failed in, to tell a fault from a moment. */
export interface FailureWatch {
  /** Sends what failed so far again, until it is served or has failed often enough to be certain. */
  readonly askAgain: () => Promise<void>;
}

/** A request that met an error of the service, or no answer, each time so far. */
interface Failing {
  readonly request: ClientRequest;
  /** Operation, and whether the request is valid; so many of a kind are asked again. */
  readonly kind: string;
  readonly operation: string;
  readonly isValid: boolean;
  times: number;
  isOfTheMoment: boolean;
}

/** At most this many different requests of a kind are asked again. */
const MAX_OF_A_KIND = 3;
/** A drive spends at most this many requests on asking again. */
const MAX_REQUESTS = 150;
/** More that fail are not remembered. */
const MAX_REMEMBERED = 200;

/** Statuses that may be gone the next moment. */
const OUTAGES: readonly number[] = [502, 503, 504];
/** What HTTP has for a method that is known nowhere says nothing of a fault. */
const NOT_IMPLEMENTED = 501;

/**
 * Watches all exchanges of a session from now on.
 *
 * @param mostRequests are spent on asking again
 */
export function watchFailures(session: Session, mostRequests: number = MAX_REQUESTS): FailureWatch {
  const failing = new Map<string, Failing>();
  const served = new Map<string, ClientRequest>();
  const asked = new Map<string, number>();
  const { ofItsOwn, ofTheMoment } = session.service.failures;
  let left = mostRequests;

  session.client.listen((exchange) => {
    const { request, purpose } = exchange;
    if (purpose.kind === 'unknown') return;
    const operation = kindOf(session, exchange);
    const answer = answerOf(exchange);
    const key = `${request.method} ${request.path} ${request.body?.text ?? ''}`;
    if (answer === 'other') {
      // Once it was answered differently, the error was temporary.
      failing.delete(key);
      const isServed =
        exchange.outcome.kind === 'response' && exchange.outcome.response.status < 300;
      const again = isServed && purpose.kind === 'valid' ? againOf(session, exchange) : undefined;
      if (again !== undefined) served.set(operation, again);
      return;
    }
    const known = failing.get(key);
    if (known !== undefined) {
      known.times += 1;
      known.isOfTheMoment ||= answer === 'down';
      return;
    }
    const again = failing.size < MAX_REMEMBERED ? againOf(session, exchange) : undefined;
    if (again === undefined) return;
    const isValid = purpose.kind !== 'invalid';
    const kind = isValid ? operation : `${operation} ${defectOf(exchange)}`;
    const isOfTheMoment = answer === 'down';
    failing.set(key, { request: again, kind, operation, isValid, times: 1, isOfTheMoment });
  });

  async function askUntilClear(key: string, one: Failing): Promise<void> {
    const between = served.get(one.operation);
    // Nobody knows whether anything is served there at all.
    if (one.isValid && between === undefined) return;
    const least = (): number => (one.isOfTheMoment ? ofTheMoment : ofItsOwn);
    asked.set(one.kind, (asked.get(one.kind) ?? 0) + 1);
    while (failing.has(key) && one.times < least() && left > 0) {
      for (const request of [between, one.request]) {
        if (request === undefined) continue;
        left -= 1;
        await session.client.send(request);
      }
    }
  }

  return {
    async askAgain() {
      for (const [key, one] of failing) {
        if ((asked.get(one.kind) ?? 0) >= MAX_OF_A_KIND) continue;
        await askUntilClear(key, one);
      }
    },
  };
}

/** Its operation, and what else says nothing of others: whether a transaction is simulated, for one. */
function kindOf({ contract, service }: Session, { api, request }: Exchange): string {
  const id = contract.find(api, request.method, request.path)?.id ?? 'none';
  const kind = service.failures.kindOf?.(id, jsonOrUndefined(request.body?.text ?? ''));
  return kind === undefined ? id : `${id}, ${kind}`;
}

function answerOf({ outcome }: Exchange): 'failed' | 'down' | 'other' {
  if (outcome.kind === 'failure') {
    return ['timeout', 'closed'].includes(outcome.failure) ? 'down' : 'other';
  }
  const { status } = outcome.response;
  if (status < 500 || status === NOT_IMPLEMENTED) return 'other';
  return OUTAGES.includes(status) ? 'down' : 'failed';
}

function defectOf({ purpose }: Exchange): string {
  return purpose.kind === 'invalid' ? purpose.defect : '';
}

/** The same request once more; undefined where a key or an Idempotency-Key makes it another. */
function againOf(session: Session, { api, request, purpose }: Exchange): ClientRequest | undefined {
  const { method, path, headers, body } = request;
  const hasCredential = headerOf(headers, 'authorization') !== undefined;
  const isKeyed = session.service.keyedApis?.includes(api) === true;
  const isOwn = !hasCredential || (isKeyed && session.keyedCredential !== 'none');
  if (!isOwn || headerOf(headers, 'idempotency-key') !== undefined) return undefined;
  if (body !== null && body.encoding !== 'utf8') return undefined;
  const type = headerOf(headers, 'content-type');
  return {
    ...{ api, method, path, purpose },
    ...(type === undefined ? {} : { headers: [['Content-Type', type]] }),
    ...(body === null ? {} : { rawBody: body.text }),
    credential: hasCredential ? session.keyedCredential : 'none',
  };
}
