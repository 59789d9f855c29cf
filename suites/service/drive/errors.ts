import { OBJECT_DEFECTS } from '../../../fixtures/wrong/body-defects.ts';
import { defectsNamed } from '../../../fixtures/wrong/defect.ts';
import { driveTransportErrors } from '../../drive/transport.ts';
import { requestOf, wrongRequest } from '../../drive/wrong-request.ts';
import type { Session } from '../session/session.ts';
import type { ZapBody } from '../session/zap-request.ts';

/** Requests that meet the documented error cases of the zap API, from a body that was served. */
export async function driveZapErrors(session: Session, body: ZapBody): Promise<void> {
  await driveTransportErrors(session, 'zap.build-tx');
  // If no route was served, these are all that ask for one.
  await driveNoFields(session, ['zap.quote', 'zap.build-tx', 'zap.pool-details']);
  const unknownPool = { chainId: body.srcChainId, poolAddress: session.random.address() };
  const purpose = { kind: 'invalid', defect: 'unknown pool' } as const;
  const address = { api: 'zap', method: 'POST', path: '/v1/pool/details' } as const;
  await session.client.send({ ...address, json: unknownPool, purpose });
}

/** The same for the trade API. */
export async function driveTradeErrors(session: Session): Promise<void> {
  await driveTransportErrors(session, 'trade.quotes');
  await driveNoFields(session, ['trade.build-tx']);
}

async function driveNoFields(session: Session, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    for (const defect of defectsNamed(OBJECT_DEFECTS, ['no fields'])) {
      await session.client.send(wrongRequest(requestOf(session.contract, id), defect));
    }
  }
}
