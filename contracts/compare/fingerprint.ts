import { createHash } from 'node:crypto';
import { foldedPlace } from '../wire/places.ts';
import type { RunFinding } from '../run/run.ts';

/**
 * What distinguishes a finding from others in every run: the rule, the operation, and the place in the answer
 * without array positions and numeric keys (chains, addresses, keys of pairs). Words of the rule and
 * values of the service are no part of it, so rewording and another world leave it as it is.
 *
 * @param rule the rule's id
 * @returns 32 hexadecimal digits
 */
export function fingerprintOf(
  rule: string,
  { pointer, operation = '' }: Pick<RunFinding, 'pointer' | 'operation'>,
): string {
  const text = JSON.stringify([rule, operation, foldedPlace(pointer)]);
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
