/** Places of a body under which findings meet. */

/** A longer pointer holds a key that no service means. */
export const MAX_POINTER_CHARACTERS = 1_000;

/** Under this one meet all that are longer: to look into each would cost what its key is long. */
const LONG = '/…';

/** A number or a hexadecimal one, as an array position, a chain, an address or a hash is written; an address in base 58. */
const NUMBER = '(?:0[xX][0-9a-fA-F]+|\\d+|(?=[A-Za-z]*\\d)[1-9A-HJ-NP-Za-km-z]{32,44})';
/** The key of a pair of tokens, whatever their chains call addresses (section 2.4). */
const PAIR = '\\d+_[^/_-]+-\\d+_[^/_-]+';
/** A key made of such: what a service counts or calls by address, and the keys of pairs. */
const NUMERIC = new RegExp(`/(?:${PAIR}|${NUMBER}(?:[_:.,-]${NUMBER})*)(?=/|$)`, 'g');

/**
 * A pointer by which findings are distinguished: array positions and numeric keys (chains, addresses, keys of pairs)
 * are all the same.
 */
export function foldedPlace(pointer: string): string {
  return pointer.length > MAX_POINTER_CHARACTERS ? LONG : pointer.replaceAll(NUMERIC, '/*');
}
