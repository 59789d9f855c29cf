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
const MALFORMED: readonly (readonly [name: string, change: ZapBody])[] = [
  ['malformed srcToken', { srcToken: '0x123' }],
  ['malformed recipient', { recipient: 'nobody' }],
  ['malformed slippage, below 0', { slippage: -1 }],
  ['malformed slippage, above 100', { slippage: 1000 }],
  ['mistyped slippage, text', { slippage: '1' }],
  ['malformed srcChainId, a fraction', { srcChainId: 1.5 }],
  ['malformed amount, below 0', { amount: '-1' }],
  ['malformed amount, a fraction', { amount: '1.5' }],
  ['mistyped amount, a number', { amount: 1_000_000 }],
  ['malformed amount, above an EVM word', { amount: `1${'0'.repeat(80)}` }],
];

/** Asks what the document leaves open about a zap request, from a body that was served. */
export async function driveUnspecifiedZap(session: Session, body: ZapBody): Promise<void> {
  const { amount, ...withoutAmount } = body;
  if (amount !== undefined) await probe(session, 'amount absent', withoutAmount);
  for (const [about, change] of UNSPECIFIED) await probe(session, about, { ...body, ...change });
  for (const [defect, change] of MALFORMED) {
    const request = validPost('/v1/quote', { ...body, ...change });
    await session.client.send({ ...request, purpose: { kind: 'invalid', defect } });
  }
}

async function probe(session: Session, about: string, json: ZapBody): Promise<void> {
  const request = validPost('/v1/quote', json);
  await session.client.send({ ...request, purpose: { kind: 'probe', about } });
}
