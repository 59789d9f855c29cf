import { walkJson } from '../../wire/json-walk.ts';
import { pointerOf } from '../../wire/json-pointer.ts';
import { isObject, pointerStep } from '../../wire/json.ts';
import type { StatedDigits } from '../stated-digits.ts';
import { type Decimal, isWhole, lostNumber } from '../decimal.ts';

/** The numbers of a body that a double does not hold, by their JSON pointers. */
export type ExactNumbers = ReadonlyMap<string, Decimal>;

/** A body whose numbers are judged by their text. */
export interface ExactBody {
  /** The parsed body; a number that a double does not hold stands as 0, or as 0.5 with a fraction. */
  readonly value: unknown;
  readonly numbers: ExactNumbers;
}

/** Of the pointers of all values: each is made, also below a very long key. */
const MAX_POINTER_CHARACTERS = 30_000_000;
/** More than the longest number that is read digit by digit. */
const MAX_TOKEN_CHARACTERS = 1_000;

const NONE: ExactNumbers = new Map();

/** A number of 16 digits or more, or with an exponent, where a value can stand. */
const CANDIDATE = /(?:^|[:[,])\s*-?\d(?:[\d.]{15}|[\d.]{0,14}[eE])/;

/**
 * A body in which a number is more than a double holds, such as 9007199254740993, or may be compared with
 * one that is.
 *
 * @param stated whether schemas have such numbers; with those of a fraction, short ones are compared too
 * @returns undefined for all other bodies; `too much` for one whose numbers would take too much
 */
export function exactBodyOf(
  text: string,
  json: unknown,
  stated: StatedDigits,
): ExactBody | 'too much' | undefined {
  const isCandidate = CANDIDATE.test(text);
  if (!isCandidate && stated !== 'fractions') return undefined;
  const numbers = isCandidate ? lostNumbers(text) : NONE;
  if (numbers === undefined) return 'too much';
  if (numbers.size === 0) return stated === 'none' ? undefined : { value: json, numbers };
  return { value: withStandIns(json, '', numbers), numbers };
}

/** Undefined if they would take too much. */
function lostNumbers(text: string): Map<string, Decimal> | undefined {
  const numbers = new Map<string, Decimal>();
  const path: string[] = [];
  const lengths: number[] = [];
  let characters = 0;
  walkJson(text, {
    enter: (depth, key) => {
      path.length = depth;
      path[depth] = String(key);
      lengths[depth] = (lengths[depth - 1] ?? 0) + String(key).length + 1;
      characters += lengths[depth];
    },
    leave: (depth, start, end) => {
      if (characters > MAX_POINTER_CHARACTERS) return;
      const exact = lostNumber(text.slice(start, Math.min(end, start + MAX_TOKEN_CHARACTERS)));
      if (exact === undefined && numbers.size === 0) return;
      const pointer = pointerOf(path.slice(1, depth + 1));
      // Of a key that stands twice the last value counts, as for JSON.parse.
      numbers.delete(pointer);
      if (exact !== undefined) numbers.set(pointer, exact);
    },
  });
  return characters > MAX_POINTER_CHARACTERS ? undefined : numbers;
}

function withStandIns(value: unknown, pointer: string, numbers: ExactNumbers): unknown {
  if (typeof value === 'number') {
    const exact = numbers.get(pointer);
    if (exact === undefined) return value;
    return isWhole(exact) ? 0 : 0.5;
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => withStandIns(item, pointer + pointerStep(index), numbers));
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      withStandIns(inner, pointer + pointerStep(key), numbers),
    ]),
  );
}
