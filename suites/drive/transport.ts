import type { ApiName } from '../../contracts/wire/exchange.ts';
import type { ClientRequest } from '../../fixtures/target/transport/client.ts';
import type { Session } from '../driven-service.ts';

/** More than most services take as one request of these APIs, and no burden for any. */
const OVERSIZED_CHARACTERS = 300_000;

const JSON_TYPE = [['Content-Type', 'application/json']] as const;

/** A field that no service knows, so that the body is wrong by its size alone. */
function oversized(body: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ ...body, padding: 'x'.repeat(OVERSIZED_CHARACTERS) });
}

/**
 * Requests that are wrong as a whole beyond those of each endpoint, and what HTTP has besides GET and
 * POST. Some are sent as they were sent before: the same defect has the same code.
 *
 * @param path an endpoint of the API that takes POST
 * @param body a request body that was served there
 */
export async function driveTransport(
  session: Session,
  api: ApiName,
  path: string,
  body: Readonly<Record<string, unknown>>,
): Promise<void> {
  const send = (request: Omit<ClientRequest, 'api' | 'path'> & { path?: string }) =>
    session.client.send({ api, path, ...request });
  const invalid = (defect: string) => ({ kind: 'invalid', defect }) as const;
  await send({
    method: 'POST',
    headers: JSON_TYPE,
    rawBody: oversized(body),
    purpose: invalid('oversized body'),
  });
  await send({ method: 'GET', path: `${path}-unknown`, purpose: invalid('unknown route') });
  await send({
    method: 'POST',
    headers: JSON_TYPE,
    rawBody: '{"',
    purpose: invalid('malformed JSON'),
  });
  await send({ method: 'OPTIONS', purpose: { kind: 'probe', about: 'OPTIONS' } });
}

/** Asks for what GET answers, without its body; that HEAD is served is not documented. */
export async function driveHead(session: Session, api: ApiName, path: string): Promise<void> {
  const purpose = { kind: 'probe', about: 'HEAD' } as const;
  await session.client.send({ api, method: 'HEAD', path, purpose });
}
