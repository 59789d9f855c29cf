import { walkJson } from '../../wire/json-walk.ts';
import { pointerOf } from '../../wire/json-pointer.ts';
import { isObject, pointerStep } from '../../wire/json.ts';
import { compareDecimals, type Decimal, decimalOf, isWhole } from './decimal.ts';

/** The numbers of a body that a double does not hold, by their JSON pointers. */
export type ExactNumbers = ReadonlyMap<string, Decimal>;

/** A body whose numbers are judged by their text. */
export interface ExactBody {
  /** The parsed body; a number that a double does not hold stands as 0, or as 0.5 with a fraction. */
  readonly value: unknown;
  readonly numbers: ExactNumbers;
}

/** A longer body, or one with a longer key or more such numbers, is judged by what doubles hold. */
const MAX_CHARACTERS = 2_000_000;
const MAX_KEY_CHARACTERS = 200;
const MAX_NUMBERS = 1_000;
/** More than the longest number that is read digit by digit. */
const MAX_TOKEN_CHARACTERS = 1_000;

/** A number of 16 digits or more, or with an exponent, where a value can stand. */
const CANDIDATE = /(?:^|[:[,])\s*-?\d(?:[\d.]{15}|[\d.]*[eE])/;

/**
 * A body in which a number is more than a double holds, such as 9007199254740993.
 *
 * @returns undefined for all other bodies
 */
export function exactBodyOf(text: string, json: unknown): ExactBody | undefined {
  if (text.length > MAX_CHARACTERS || !CANDIDATE.test(text)) return undefined;
  const numbers = lostNumbers(text);
  return numbers.size === 0 ? undefined : { value: withStandIns(json, '', numbers), numbers };
}

function lostNumbers(text: string): Map<string, Decimal> {
  const numbers = new Map<string, Decimal>();
  const path: string[] = [];
  const keys = { areTooLong: false };
  walkJson(text, {
    enter: (depth, key) => {
      if (String(key).length > MAX_KEY_CHARACTERS) keys.areTooLong = true;
      path.length = depth;
      path[depth] = String(key);
    },
    leave: (depth, start, end) => {
      if (keys.areTooLong || numbers.size > MAX_NUMBERS) return;
      const exact = lostNumber(text.slice(start, Math.min(end, start + MAX_TOKEN_CHARACTERS)));
      if (exact === undefined && numbers.size === 0) return;
      const pointer = pointerOf(path.slice(1, depth + 1));
      // Of a key that stands twice the last value counts, as for JSON.parse.
      numbers.delete(pointer);
      if (exact !== undefined) numbers.set(pointer, exact);
    },
  });
  return keys.areTooLong || numbers.size > MAX_NUMBERS ? new Map<string, Decimal>() : numbers;
}

/** What a token of a number says, if a double does not hold it. */
function lostNumber(token: string): Decimal | undefined {
  if (!/^-?\d/.test(token)) return undefined;
  const exact = decimalOf(token);
  if (exact === undefined) return undefined;
  const held = decimalOf(String(Number(token)));
  return held !== undefined && compareDecimals(exact, held) === 0 ? undefined : exact;
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
