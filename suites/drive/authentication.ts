import { CREDENTIAL_LIFE } from '../../contracts/rules/5-credential-life.ts';
import type { ClientRequest, Credential } from '../../fixtures/target/client.ts';
import type { Session } from './session.ts';
import { sendValid } from './session.ts';
import type { TradeBody } from './trade.ts';

/** A key that nobody issued; it may stand in records as it is. */
export function unknownKey({ random }: Session): Credential {
  return { bearer: `assay-no-such-key-${random.integer(0, 1e9)}`, public: true };
}

/**
 * Asks the trade API with no key, with one that nobody issued, and with another scheme. The unknown
 * key goes between two requests without it, so that what it changes can be told.
 */
export async function driveTradeAuthentication(session: Session, json: TradeBody): Promise<void> {
  const request = { api: 'trade', method: 'POST', path: '/v1/buildTx', json } as const;
  const group = 'trade';
  const inRole = (role: string): Pick<ClientRequest, 'relations'> => ({
    relations: [
      { kind: 'unknown-key', group, role },
      // What a revoked key is held against.
      { kind: CREDENTIAL_LIFE, group, role: role === 'B' ? 'use-unknown' : 'use-none' },
    ],
  });
  await sendValid(session, { ...request, ...inRole('A') });
  const purpose = { kind: 'invalid', defect: 'unknown bearer' } as const;
  const credential = unknownKey(session);
  await session.client.send({ ...request, ...inRole('B'), credential, purpose });
  await sendValid(session, { ...request, ...inRole('A2') });
  // Nothing but a bearer key is documented; that another scheme is refused is not.
  const headers = [['Authorization', 'Basic YXNzYXk6YXNzYXk=']] as const;
  const about = { kind: 'probe', about: 'another authentication scheme' } as const;
  await session.client.send({ ...request, headers, purpose: about });
}

/** Asks the zap API with a key, of which it needs none; what becomes of it is not stated. */
export async function driveZapAuthentication(session: Session): Promise<void> {
  await session.client.send({
    api: 'zap',
    method: 'GET',
    path: '/v1/config/providers',
    credential: unknownKey(session),
    purpose: { kind: 'probe', about: 'a credential where none is needed' },
  });
}
