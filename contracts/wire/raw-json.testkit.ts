import { parsePointer } from './json-pointer.ts';
import { walkJson } from './json-walk.ts';

/**
 * Where the value at a JSON pointer stands, found by a walk over the whole text: slow, and sure.
 *
 * @returns undefined when there is no such value, the text is not JSON or the pointer is malformed
 */
export function walkedValueAt(text: string, pointer: string): string | undefined {
  const tokens = parsePointer(pointer);
  if (tokens === undefined) return undefined;
  let found: string | undefined;
  /** How many tokens the path to the current value has matched, when that is all of its path. */
  let matched = 0;
  const isJson = walkJson(text, {
    enter: (depth, key) => {
      if (matched !== depth - 1 || tokens[matched] !== String(key)) return;
      matched = depth;
      found = undefined;
    },
    leave: (depth, start, end) => {
      if (matched !== depth) return;
      if (depth === tokens.length) found = text.slice(start, end);
      matched = depth - 1;
    },
  });
  return isJson ? found : undefined;
}
