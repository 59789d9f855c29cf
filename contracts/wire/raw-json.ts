/** What stood in the bytes of a JSON text, before parsing rounded its numbers and merged its keys. */

import type { JsonIndex } from './json-index.ts';
import { endOfValue } from './json-index.ts';
import { pointerOf } from './json-pointer.ts';
import { walkJson } from './json-walk.ts';

/** Objects and arrays are quoted up to this many characters. */
const MAX_CONTAINER_LENGTH = 200;

/** More repetitions are not reported: each costs a pointer as long as its path is deep. */
const MAX_DUPLICATES = 100;

/**
 * The raw text of the value at a JSON pointer (RFC 6901). Strings keep their quotes, numbers their
 * digits; long objects and arrays are cut and end in `…`. Of a key that occurs twice the last value
 * counts, as in `JSON.parse`.
 *
 * @param index of a text that `JSON.parse` takes
 * @returns undefined when there is no such value or the pointer is malformed
 */
export function rawTokenAt(index: JsonIndex, pointer: string): string | undefined {
  const start = index.startOf(pointer);
  if (start === undefined) return undefined;
  return cut(index.text, start, endOfValue(index.text, start, MAX_CONTAINER_LENGTH));
}

/**
 * JSON pointers of the keys that occur more than once in one object (RFC 8259 section 4: names
 * should be unique), escapes in keys undone, each pointer once; the first 100 repetitions only.
 *
 * @returns none when the text is not JSON
 */
export function duplicateKeys(text: string): readonly string[] {
  const path: (string | number)[] = [];
  /** By depth, the keys seen so far in the object at that depth. */
  const seen: (Set<string> | undefined)[] = [];
  const duplicates = new Set<string>();
  let left = MAX_DUPLICATES;
  const isJson = walkJson(text, {
    enter: (depth, key) => {
      path.length = depth - 1;
      path.push(key);
      if (typeof key === 'number') return;
      const keys = (seen[depth] ??= new Set());
      if (keys.has(key) && left > 0) {
        duplicates.add(pointerOf(path));
        left -= 1;
      }
      keys.add(key);
    },
    leave: (depth) => {
      seen[depth + 1] = undefined;
    },
  });
  return isJson ? [...duplicates] : [];
}

function cut(text: string, start: number, end: number): string {
  const isContainer = text[start] === '{' || text[start] === '[';
  if (!isContainer || end - start <= MAX_CONTAINER_LENGTH) return text.slice(start, end);
  // Half of a surrogate pair would be no text.
  const head = text.slice(start, start + MAX_CONTAINER_LENGTH).replace(/[\uD800-\uDBFF]$/, '');
  return `${head}…`;
}
