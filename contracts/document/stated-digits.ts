import { isObject, pointerStep } from '../wire/json.ts';
import { decimalOf, isWhole } from './decimal.ts';

/** Texts of the numbers of a document that a double does not hold, by what they stand in and their keys. */
export type LongNumbers = ReadonlyMap<object, ReadonlyMap<string, string>>;

/**
 * The keyword of a schema with the texts of its numbers that a double does not hold, by JSON pointers from
 * the schema: `{'/maximum': '9223372036854775807'}`. Assay writes it; what a document says there is
 * ignored.
 */
export const DIGITS = 'x-stated-digits';

const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];

/** Whether schemas have numbers that a double does not hold: none, such without a fraction, or others too. */
export type StatedDigits = 'none' | 'whole' | 'fractions';

/** Notes the digits of a schema in it. */
export function noteDigits(schema: Record<string, unknown>, numbers: LongNumbers): StatedDigits {
  Reflect.deleteProperty(schema, DIGITS);
  if (numbers.size === 0) return 'none';
  const digits: Record<string, string> = {};
  const own = numbers.get(schema);
  for (const keyword of [...BOUNDS, 'const']) {
    const text = own?.get(keyword);
    if (text !== undefined) digits[`/${keyword}`] = text;
  }
  for (const keyword of ['const', 'enum']) noteBelow(schema[keyword], `/${keyword}`);
  if (Object.keys(digits).length === 0) return 'none';
  schema[DIGITS] = digits;
  return Object.values(digits).some(hasFraction) ? 'fractions' : 'whole';

  function noteBelow(value: unknown, pointer: string): void {
    if (!Array.isArray(value) && !isObject(value)) return;
    for (const [key, text] of numbers.get(value) ?? []) digits[pointer + pointerStep(key)] = text;
    for (const [key, inner] of Object.entries(value)) noteBelow(inner, pointer + pointerStep(key));
  }
}

function hasFraction(text: string): boolean {
  const decimal = decimalOf(text);
  return decimal !== undefined && !isWhole(decimal);
}

/** Says that what a schema states under a keyword stands under another one from now on. */
export function moveDigits(schema: object, from: string, to: string): void {
  const digits = digitsIn(schema) as Record<string, string> | undefined;
  const text = digits?.[`/${from}`];
  if (digits === undefined || text === undefined) return;
  digits[`/${to}`] = text;
  Reflect.deleteProperty(digits, `/${from}`);
}

/** The digits of a schema, by JSON pointers from it; undefined if doubles hold all of its numbers. */
export function digitsIn(schema: object): Readonly<Record<string, string>> | undefined {
  return (schema as { readonly [DIGITS]?: Readonly<Record<string, string>> })[DIGITS];
}
