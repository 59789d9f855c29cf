import { sameRequest } from '../../contracts/rules/valid-requests/valid-answer.ts';
import { type Exchange, headerOf } from '../../contracts/wire/exchange.ts';
import type { ClientRequest } from '../../fixtures/target/transport/client.ts';
import type { Session } from '../driven-service.ts';

/** What makes two requests of a session the same. */
export function keyOf({ api, request }: Exchange): string {
  return `${api} ${sameRequest(request)}`;
}

/** Fields that the client adds by itself. */
const BY_THE_CLIENT: readonly string[] = [
  'accept',
  'accept-encoding',
  'user-agent',
  'authorization',
];

/** The same request once more; undefined where a key or an Idempotency-Key makes it another. */
export function againOf(
  session: Session,
  { api, request, purpose }: Exchange,
): ClientRequest | undefined {
  const { method, path, headers, body } = request;
  const hasCredential = headerOf(headers, 'authorization') !== undefined;
  const isKeyed = session.service.keyedApis?.includes(api) === true;
  const isOwn = !hasCredential || (isKeyed && session.keyedCredential !== 'none');
  if (!isOwn || headerOf(headers, 'idempotency-key') !== undefined) return undefined;
  if (body !== null && body.encoding !== 'utf8') return undefined;
  const others = headers.filter(
    // A secret is not known here; the client adds those of the configuration again.
    ([name, value]) => !BY_THE_CLIENT.includes(name.toLowerCase()) && !value.includes('$'),
  );
  return {
    ...{ api, method, path, purpose },
    ...(others.length === 0 ? {} : { headers: others }),
    ...(body === null ? {} : { rawBody: body.text }),
    credential: hasCredential ? session.keyedCredential : 'none',
  };
}
