/** Places of a body under which findings meet. */

/** A longer pointer holds a key that no service means. */
export const MAX_POINTER_CHARACTERS = 1_000;

/** Under this one meet all that are longer: to look into each would cost what its key is long. */
const LONG = '/…';

/** A pointer by which findings are distinguished: array positions and numeric keys are all the same. */
export function foldedPlace(pointer: string): string {
  return pointer.length > MAX_POINTER_CHARACTERS ? LONG : pointer.replace(/\/\d+(?=\/|$)/g, '/*');
}
