import { sameRequest } from '../../contracts/rules/valid-requests/valid-answer.ts';
import { type Exchange, headerOf } from '../../contracts/wire/exchange.ts';
import type { ClientRequest } from '../../target/transport/client.ts';
import type { Session } from '../driven-service.ts';

/** What makes two requests of a session the same. */
export function keyOf({ api, request }: Exchange): string {
  return `${api} ${sameRequest(request)}`;
}

/** The same request once more; undefined if a key or an Idempotency-Key makes it another. */
export function againOf(
  session: Session,
  { api, request: { headers } }: Exchange,
  asked: ClientRequest,
): ClientRequest | undefined {
  const hasCredential = headerOf(headers, 'authorization') !== undefined;
  const isKeyed = session.service.keyedApis?.includes(api) === true;
  const isOwn = !hasCredential || (isKeyed && session.keyedCredential !== 'none');
  if (!isOwn || headerOf(headers, 'idempotency-key') !== undefined) return undefined;
  return {
    ...asked,
    relations: [],
    credential: hasCredential ? session.keyedCredential : 'none',
  };
}
