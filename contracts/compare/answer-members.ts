import { jsonTypeOf, pointerStep } from '../wire/json.ts';
import { MAX_POINTER_CHARACTERS } from '../wire/places.ts';

/** More values of one answer are not looked at. */
const MAX_VALUES = 2_000;
/** Elements of one array: others are written by the same code. */
const MAX_ELEMENTS = 20;
const MAX_DEPTH = 16;

/** A key that a service makes of its data: a number, an address, or a pair of them. */
const DATA_KEY = /^(?:0[xX][0-9a-fA-F]+|\d+)(?:[_:.,-](?:0[xX][0-9a-fA-F]+|\d+))*$/;

/**
 * The members of an answer: pointers, with the types of the values there. Array positions and keys made
 * of numbers and addresses are all the same, `*`.
 *
 * @param value parsed JSON
 */
export function membersIn(value: unknown): Map<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const waiting: { readonly value: unknown; readonly pointer: string; readonly depth: number }[] = [
    { value, pointer: '', depth: 0 },
  ];
  // What is found on the way is waited for as well.
  for (const one of waiting) {
    const { pointer, depth } = one;
    const types = found.get(pointer) ?? new Set<string>();
    found.set(pointer, types.add(jsonTypeOf(one.value)));
    if (depth >= MAX_DEPTH || typeof one.value !== 'object' || one.value === null) continue;
    const room = MAX_VALUES - waiting.length;
    if (Array.isArray(one.value)) {
      for (const item of one.value.slice(0, Math.min(MAX_ELEMENTS, room)) as unknown[]) {
        waiting.push({ value: item, pointer: `${pointer}/*`, depth: depth + 1 });
      }
      continue;
    }
    for (const [key, item] of Object.entries(one.value).slice(0, room)) {
      if (pointer.length + key.length > MAX_POINTER_CHARACTERS) continue;
      const step = DATA_KEY.test(key) ? '/*' : pointerStep(key);
      waiting.push({ value: item, pointer: pointer + step, depth: depth + 1 });
    }
  }
  return found;
}
