import { defectsOf } from '../../../fixtures/service/defects.ts';
import { defectsNamed } from '../../../fixtures/wrong/defect.ts';
import { requestOf, wrongRequest } from '../../drive/wrong-request.ts';
import type { Session } from '../session/session.ts';

type Body = Readonly<Record<string, unknown>>;

/** Which operation of an API is asked wrongly, and with what defects of a body that was served. */
const WRONG = {
  zap: { id: 'zap.quote', names: ['missing account', 'mistyped slippage, an object'] },
  trade: { id: 'trade.build-tx', names: ['missing sender', 'mistyped data, text'] },
} as const;

/**
 * Sends requests that are wrong in one thing each, always the same ones. So their codes can be
 * compared with each other when it is called again.
 */
export function errorCodes(
  {
    client,
    contract,
  }: Pick<Session, 'contract'> & { readonly client: Pick<Session['client'], 'send'> },
  api: keyof typeof WRONG,
): (served: Body | undefined) => Promise<void> {
  const { id, names } = WRONG[api];
  let body: Body | undefined;
  return async (served) => {
    body ??= served;
    if (body === undefined) return;
    const right = requestOf(contract, id, body);
    for (const defect of defectsNamed(defectsOf(contract, id), names)) {
      await client.send(wrongRequest(right, defect));
    }
    if (api !== 'zap') return;
    // An account is no pool, and a chance would be another one next time.
    const json = { chainId: body.srcChainId, poolAddress: body.account };
    const purpose = { kind: 'invalid', defect: 'unknown pool' } as const;
    await client.send({ api, method: 'POST', path: '/v1/pool/details', json, purpose });
  };
}
