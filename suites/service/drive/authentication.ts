import { CREDENTIAL_LIFE } from '../../../contracts/service/rules/auth/credential-life.ts';
import type { MadeUpKey } from '../../../contracts/service/rules/auth/made-up-keys.ts';
import { MADE_UP_KEY } from '../../../contracts/service/rules/auth/made-up-keys.ts';
import type { ClientRequest, Credential } from '../../../target/transport/client.ts';
import { TRADE_KEY } from '../../../target/config/secrets.ts';
import { KEY_CHANGES, unknownKey, useMadeUp } from '../session/keys-of-nobody.ts';
import type { Session } from '../session/session.ts';
import { sendValid } from '../../drive/session.ts';
import type { TradeBody } from '../session/trade-body.ts';

/**
 * Asks the trade API with no key, with one that nobody issued, and with another scheme. The unknown
 * key goes between two requests without it, so that what it changes can be determined.
 *
 * @param known a body that was served; without one, an empty one is sent, which need not be
 */
export async function driveTradeAuthentication(
  session: Session,
  known: TradeBody | undefined,
): Promise<void> {
  const json = known ?? {};
  const request = { api: 'trade', method: 'POST', path: '/v1/buildTx', json } as const;
  const group = 'trade';
  const inRole = (role: string): Pick<ClientRequest, 'relations'> => ({
    relations: [
      { kind: 'unknown-key', group, role },
      // What a revoked key is compared with.
      { kind: CREDENTIAL_LIFE, group, role: role === 'B' ? 'use-unknown' : 'use-none' },
      { kind: MADE_UP_KEY, group, role: role === 'B' ? 'plain' : 'none' },
    ],
  });
  const sendPlain = async (role: string): Promise<unknown> =>
    known === undefined
      ? session.client.send({ ...request, ...inRole(role), purpose: WITHOUT_BODY })
      : sendValid(session, { ...request, ...inRole(role) });
  await sendPlain('A');
  const purpose = { kind: 'invalid', defect: 'unknown bearer' } as const;
  const credential = unknownKey(session);
  await session.client.send({ ...request, ...inRole('B'), credential, purpose });
  await sendPlain('A2');
  await driveMadeUpKeys(session, json);
  // Nothing but a bearer key is documented; that another scheme is refused is not.
  const headers = [['Authorization', 'Basic YXNzYXk6YXNzYXk=']] as const;
  const about = { kind: 'probe', about: 'another authentication scheme' } as const;
  await session.client.send({ ...request, headers, purpose: about });
}

const WITHOUT_BODY = { kind: 'probe', about: 'a trade of no fields, without a key' } as const;

/** Keys in forms that keys have; none was ever issued, since each was made up for this. */
const NOBODYS_HEX = '5eda1b9c03f74e26a8d0b7715cc2489fe34d60a1927bf85c1d3e6a904b72f8c5';
const NOBODYS_UUID = '3f0c9b52-7d1e-4a86-b4c7-e21d58a06f93';
const NOBODYS_WORD = 'k7f3a91d2';

/**
 * Asks the trade API with keys of other forms that nobody issued, and with such as are like the one
 * that the environment holds. Only if some are refused and others are not is all that sent again.
 */
async function driveMadeUpKeys(session: Session, json: TradeBody): Promise<void> {
  const keys = new Map<MadeUpKey, Credential>([
    ['hex', { bearer: NOBODYS_HEX, public: true }],
    ['uuid', { bearer: NOBODYS_UUID, public: true }],
    ['short', { bearer: NOBODYS_WORD, public: true }],
  ]);
  if (session.keyedCredential !== 'none') {
    for (const change of KEY_CHANGES) keys.set(change, { like: TRADE_KEY, change });
  }
  const seen = new Set<string | undefined>();
  for (const [key, credential] of keys) {
    seen.add((await useMadeUp(session, key, credential, json))?.kind);
  }
  if (!seen.has('served')) return;
  const plain = await useMadeUp(session, 'plain', unknownKey(session), json);
  if (plain?.kind === 'served' && !seen.has('refused')) return;
  keys.set('plain', unknownKey(session));
  for (const [key, credential] of keys) await useMadeUp(session, key, credential, json);
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
