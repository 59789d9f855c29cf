import type { ApiName } from '../../../contracts/wire/exchange.ts';
import type { Session } from '../session/session.ts';
import type { ZapBody } from '../session/zap-request.ts';

/** Requests that meet the documented error cases of the zap API, from a body that was served. */
export async function driveZapErrors(session: Session, body: ZapBody): Promise<void> {
  await driveTransportErrors(session, 'zap', '/v1/buildTx');
  const unknownPool = { chainId: body.srcChainId, poolAddress: session.random.address() };
  for (const [defect, path, json] of [
    // Where no route was served, these are all that ask for one.
    ['no fields', '/v1/quote', {}],
    ['no fields', '/v1/buildTx', {}],
    ['no fields', '/v1/pool/details', {}],
    ['unknown pool', '/v1/pool/details', unknownPool],
  ] as const) {
    const purpose = { kind: 'invalid', defect } as const;
    await session.client.send({ api: 'zap', method: 'POST', path, json, purpose });
  }
}

/** The same for the trade API. */
export async function driveTradeErrors(session: Session): Promise<void> {
  await driveTransportErrors(session, 'trade', '/v1/quotes');
  const purpose = { kind: 'invalid', defect: 'no fields' } as const;
  await session.client.send({
    api: 'trade',
    method: 'POST',
    path: '/v1/buildTx',
    json: {},
    purpose,
  });
}

/** What is wrong before any field is looked at. */
export async function driveTransportErrors(
  session: Session,
  api: ApiName,
  path: string,
): Promise<void> {
  const send = session.client.send.bind(session.client);
  const invalid = (defect: string): { kind: 'invalid'; defect: string } => ({
    kind: 'invalid',
    defect,
  });
  await send({ api, method: 'GET', path: `${path}-unknown`, purpose: invalid('unknown route') });
  await send({ api, method: 'DELETE', path, purpose: invalid('wrong method') });
  const headers = [['Content-Type', 'application/json']] as const;
  await send({
    api,
    method: 'POST',
    path,
    headers,
    rawBody: '{"',
    purpose: invalid('malformed JSON'),
  });
  await send({ api, method: 'POST', path, headers, rawBody: '', purpose: invalid('empty body') });
  await send({ api, method: 'POST', path, json: [], purpose: invalid('an array as body') });
  const text = [['Content-Type', 'text/plain']] as const;
  await send({
    api,
    method: 'POST',
    path,
    headers: text,
    rawBody: 'text',
    purpose: invalid('wrong content type'),
  });
}
