import { defectsOf } from '../../../fixtures/service/defects.ts';
import { defectsNamed } from '../../../fixtures/wrong/defect.ts';
import { requestOf, wrongRequest } from '../../drive/wrong-request.ts';
import type { Session } from '../session/session.ts';
import type { ZapBody } from '../session/zap-request.ts';
import { validPost } from '../session/zap-request.ts';

/** What a request may hold whose form or meaning the document does not show (section 2.1). */
const UNSPECIFIED: readonly (readonly [about: string, change: ZapBody])[] = [
  ['positionDetails {}', { positionDetails: {} }],
  ['positionDetails nftId', { positionDetails: { nftId: '1' } }],
  ['poolDetails {}', { poolDetails: {} }],
  ['poolDetails lowerTick, upperTick', { poolDetails: { lowerTick: -600, upperTick: 600 } }],
  ['integrator {}', { integrator: {} }],
  ['integrator id, feeBps', { integrator: { id: 'assay', feeBps: 10 } }],
  ['allowedDexes []', { allowedDexes: [] }],
  ['allowedDexes unknown', { allowedDexes: ['assay-no-such-dex'] }],
  ['permit', { permit: '0x' }],
];

/** Values of the right JSON type, or nearly, that cannot be meant. */
const WRONG: readonly string[] = [
  'malformed srcToken, a digit too few',
  'malformed recipient, a name',
  'malformed slippage, below 0',
  'malformed slippage, above 100',
  'mistyped slippage, its number as text',
  'malformed srcChainId, a fraction',
  'malformed amount, below 0',
  'malformed amount, a fraction',
  'mistyped amount, a number',
  'malformed amount, above an EVM word',
];

/** Asks what the document leaves open about a zap request, from a body that was served. */
export async function driveUnspecifiedZap(session: Session, body: ZapBody): Promise<void> {
  const { amount, ...withoutAmount } = body;
  if (amount !== undefined) await probe(session, 'amount absent', withoutAmount);
  for (const [about, change] of UNSPECIFIED) await probe(session, about, { ...body, ...change });
  const { client, contract } = session;
  const right = requestOf(contract, 'zap.quote', body);
  for (const defect of defectsNamed(defectsOf(contract, 'zap.quote'), WRONG)) {
    await client.send(wrongRequest(right, defect));
  }
}

async function probe(session: Session, about: string, json: ZapBody): Promise<void> {
  const request = validPost('/v1/quote', json);
  await session.client.send({ ...request, purpose: { kind: 'probe', about } });
}
