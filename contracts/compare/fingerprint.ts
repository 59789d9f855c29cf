import { createHash } from 'node:crypto';
import { MAX_POINTER_CHARACTERS } from '../wire/places.ts';
import type { RunFinding } from '../run/run.ts';

/** A number or a hexadecimal one, as an array position, a chain, an address or a hash is written. */
const NUMBER = '(?:0[xX][0-9a-fA-F]+|\\d+)';
/** A key made of such: what a service counts or calls by address, and the keys of pairs. */
const NUMERIC = new RegExp(`/${NUMBER}(?:[_:.,-]${NUMBER})*(?=/|$)`, 'g');

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
  const text = JSON.stringify([rule, operation, placeOf(pointer)]);
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** A place in an answer without array positions and numeric keys. */
export function placeOf(pointer: string): string {
  return pointer.length > MAX_POINTER_CHARACTERS ? '/…' : pointer.replaceAll(NUMERIC, '/*');
}
