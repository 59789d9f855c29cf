import type { KeyTry, MadeUpKey } from '../../../contracts/service/rules/auth/made-up-keys.ts';
import { keyTryOf, MADE_UP_KEY } from '../../../contracts/service/rules/auth/made-up-keys.ts';
import { View } from '../../../contracts/judging/view.ts';
import type { Credential } from '../../../target/transport/client.ts';
import { CredentialUnchangeable } from '../../../target/transport/client.ts';
import type { KeyChange } from '../../../target/config/key-change.ts';
import type { Session } from './session.ts';

/** A key that nobody issued; it may stand in records as it is. */
export function unknownKey({ random }: Session): Credential {
  return { bearer: `assay-no-such-key-${random.integer(0, 1e9)}`, public: true };
}

/** Ways to make another key of one that is known. */
export const KEY_CHANGES: readonly KeyChange[] = ['extended', 'shortened', 'other-case'];

/**
 * Builds a trade with a key that nobody issued.
 *
 * @returns what was made of it; undefined if that says nothing, or no such key can be made
 */
export async function useMadeUp(
  { client, contract }: Session,
  key: MadeUpKey,
  credential: Credential,
  json: Readonly<Record<string, unknown>>,
): Promise<KeyTry | undefined> {
  try {
    const exchange = await client.send({
      ...{ api: 'trade', method: 'POST', path: '/v1/buildTx', json, credential },
      purpose: { kind: 'probe', about: 'a key that nobody issued' },
      relations: [{ kind: MADE_UP_KEY, group: 'trade', role: key }],
    });
    return keyTryOf(new View(exchange, contract)) ?? undefined;
  } catch (error) {
    if (error instanceof CredentialUnchangeable) return undefined;
    throw error;
  }
}
