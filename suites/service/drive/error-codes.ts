import type { ApiName } from '../../../contracts/wire/exchange.ts';
import type { Session } from '../session/session.ts';

type Body = Readonly<Record<string, unknown>>;

/** Where an API is asked wrongly, and which fields of a body that was served are made wrong. */
const WRONG = {
  zap: { path: '/v1/quote', missing: 'account', mistyped: 'slippage' },
  trade: { path: '/v1/buildTx', missing: 'sender', mistyped: 'data' },
} as const;

/**
 * Sends requests that are wrong in one thing each, always the same ones, so that their codes can be
 * compared with each other when it is called again.
 */
export function errorCodes(
  session: { readonly client: Pick<Session['client'], 'send'> },
  api: keyof typeof WRONG,
): (served: Body | undefined) => Promise<void> {
  const send = async (path: string, defect: string, json: unknown): Promise<void> => {
    const purpose = { kind: 'invalid', defect } as const;
    await session.client.send({ api: api satisfies ApiName, method: 'POST', path, json, purpose });
  };
  const { path, missing, mistyped } = WRONG[api];
  let body: Body | undefined;
  return async (served) => {
    body ??= served;
    if (body === undefined) return;
    const others = Object.entries(body).filter(([name]) => name !== missing);
    await send(path, `missing ${missing}`, Object.fromEntries(others));
    const wrong = mistyped === 'data' ? 'text' : { not: 'scalar' };
    await send(path, `mistyped ${mistyped}`, { ...body, [mistyped]: wrong });
    if (api !== 'zap') return;
    // An account is no pool, and a chance would be another one next time.
    const unknown = { chainId: body.srcChainId, poolAddress: body.account };
    await send('/v1/pool/details', 'unknown pool', unknown);
  };
}
