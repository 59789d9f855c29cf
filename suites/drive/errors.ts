import type { ApiName } from '../../contracts/wire/exchange.ts';
import type { Session } from './session.ts';
import type { TradeBody } from './trade.ts';
import type { ZapBody } from './zap.ts';

/** A request with exactly one defect, named. */
interface Defect {
  readonly name: string;
  readonly body: unknown;
}

const ZAP_REQUIRED: readonly string[] = [
  'srcToken',
  'srcChainId',
  'destToken',
  'destChainId',
  'recipient',
  'slippage',
  'account',
];

const TRADE_REQUIRED: readonly string[] = [
  'fromChain',
  'sender',
  'refundee',
  'gasless',
  'hasPermit2ApprovalForAllTokens',
  'data',
];

/** Requests that meet the documented error cases of the zap API, from a body that was served. */
export async function driveZapErrors(session: Session, body: ZapBody): Promise<void> {
  await driveTransportErrors(session, 'zap', '/v1/buildTx');
  for (const { name, body: json } of fieldDefects(body, ZAP_REQUIRED)) {
    await sendInvalid(session, 'zap', '/v1/quote', name, json);
  }
  for (const { name, body: json } of fieldDefects(body, ['srcToken', 'slippage'])) {
    await sendInvalid(session, 'zap', '/v1/buildTx', name, json);
  }
  await sendInvalid(session, 'zap', '/v1/pool/details', 'no fields', {});
  const unknownPool = { chainId: body.srcChainId, poolAddress: session.random.address() };
  await sendInvalid(session, 'zap', '/v1/pool/details', 'unknown pool', unknownPool);
}

/** The same for the trade API. */
export async function driveTradeErrors(session: Session, body: TradeBody): Promise<void> {
  await driveTransportErrors(session, 'trade', '/v1/quotes');
  // What is left out and what is of another type, in turn: generated requests have the others.
  const defects = fieldDefects(body, TRADE_REQUIRED);
  for (const { name, body: json } of defects.filter((_, index) => [0, 3].includes(index % 4))) {
    await sendInvalid(session, 'trade', '/v1/buildTx', name, json);
  }
}

/** Bodies without each field, and with each field of another type. */
function fieldDefects(body: ZapBody, fields: readonly string[]): Defect[] {
  return fields.flatMap((field) => {
    const { [field]: value, ...rest } = body;
    const mistyped = typeof value === 'object' ? 'text' : { not: 'scalar' };
    return [
      { name: `missing ${field}`, body: rest },
      { name: `mistyped ${field}`, body: { ...body, [field]: mistyped } },
    ];
  });
}

async function sendInvalid(
  session: Session,
  api: ApiName,
  path: string,
  defect: string,
  json: unknown,
): Promise<void> {
  const purpose = { kind: 'invalid', defect } as const;
  await session.client.send({ api, method: 'POST', path, json, purpose });
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
