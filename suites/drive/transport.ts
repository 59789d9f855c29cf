import type { ApiName } from '../../contracts/wire/exchange.ts';
import { defectsNamed } from '../../fixtures/wrong/defect.ts';
import {
  ADDRESS_DEFECTS,
  BODY_DEFECTS,
  OVERSIZED_BODY,
} from '../../fixtures/wrong/transport-defects.ts';
import type { Session } from '../driven-service.ts';
import { requestOf, wrongRequest } from './wrong-request.ts';

/** What is wrong with where a request goes; it has no body, so that nothing else can be wrong with it. */
const OF_THE_ADDRESS = defectsNamed(ADDRESS_DEFECTS, ['unknown route', 'wrong method']);
const OF_THE_BODY = defectsNamed(BODY_DEFECTS, [
  'malformed JSON',
  'empty body',
  'an array as body',
  'wrong content type',
]);

/**
 * What is wrong with a request before any field is looked at, always the same. So its codes can
 * be compared with each other when it is called again.
 *
 * @param id an operation that takes POST
 */
export async function driveTransportErrors(session: Session, id: string): Promise<void> {
  const { client, contract } = session;
  const empty = requestOf(contract, id, {});
  const bare = { ...requestOf(contract, id), method: 'GET' };
  for (const defect of OF_THE_ADDRESS) await client.send(wrongRequest(bare, defect));
  for (const defect of OF_THE_BODY) await client.send(wrongRequest(empty, defect));
}

/**
 * Requests that are wrong as a whole beyond those of each endpoint, and what HTTP has besides GET and
 * POST. Some are sent as they were sent before: the same defect has the same code.
 *
 * @param id an operation that takes POST
 * @param body a request body that was served there
 */
export async function driveTransport(
  session: Session,
  id: string,
  body: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { client, contract } = session;
  await client.send(wrongRequest(requestOf(contract, id, body), OVERSIZED_BODY));
  const { api, path } = requestOf(contract, id);
  for (const defect of defectsNamed(OF_THE_ADDRESS, ['unknown route'])) {
    await client.send(wrongRequest({ api, method: 'GET', path }, defect));
  }
  for (const defect of defectsNamed(OF_THE_BODY, ['malformed JSON'])) {
    await client.send(wrongRequest(requestOf(contract, id, {}), defect));
  }
  await client.send({ api, method: 'OPTIONS', path, purpose: { kind: 'probe', about: 'OPTIONS' } });
}

/** Asks for what GET answers, without its body; that HEAD is served is not documented. */
export async function driveHead(session: Session, api: ApiName, path: string): Promise<void> {
  const purpose = { kind: 'probe', about: 'HEAD' } as const;
  await session.client.send({ api, method: 'HEAD', path, purpose });
}
