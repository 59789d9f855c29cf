import type { Secrets } from '../../target/config/secrets.ts';
import type { Driving, KeyedCredential } from '../driven-service.ts';

/** What requests of keyed APIs authenticate with: the key of the service if the environment holds one. */
export function keyedCredentialOf(
  { keyVariable }: Pick<Driving, 'keyVariable'>,
  secrets: Secrets,
): KeyedCredential {
  const isHeld = keyVariable !== undefined && secrets[keyVariable] !== undefined;
  return isHeld ? { secret: keyVariable } : 'none';
}
