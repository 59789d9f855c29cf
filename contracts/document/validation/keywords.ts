import { _, type FuncKeywordDefinition, type SchemaValidateFunction } from 'ajv';
import type { AddedFormat } from 'ajv/dist/types/index.js';
import { isObject, pointerStep } from '../../wire/json.ts';
import {
  compareDecimals,
  type Decimal,
  decimalOf,
  isMultiple,
  isWhole,
  plainText,
} from '../decimal.ts';
import { digitsIn } from '../stated-digits.ts';
import type { ExactNumbers } from './exact-numbers.ts';

/** Numbers that a double does not hold, of the body that is validated now. */
export interface NumbersAtHand {
  numbers: ExactNumbers;
}

/** What a number of a schema says, by the value that was read and its JSON pointer from the schema. */
function statedIn(schema: object): Reading {
  const digits = digitsIn(schema);
  return (value, pointer) => decimalOf(digits?.[pointer] ?? String(value));
}

/** What a number says, by the value that was read and the place where it stands. */
type Reading = (value: number, pointer: string) => Decimal | undefined;

function readingOf(hand: NumbersAtHand | undefined): Reading | undefined {
  return hand && ((value, pointer) => hand.numbers.get(pointer) ?? decimalOf(String(value)));
}

/**
 * A value as a text that is the same for equal values, in whatever order their members stand.
 *
 * @param reading of numbers, if they are looked up by their places
 * @param pointer where it stands in the body, if so
 */
function canonical(value: unknown, reading?: Reading, pointer = ''): string {
  if (Array.isArray(value)) {
    return `[${value.map((item, at) => canonical(item, reading, reading && pointer + pointerStep(at))).join()}]`;
  }
  if (isObject(value)) {
    const members = Object.keys(value)
      .sort()
      .map((key) => {
        const inner = reading && pointer + pointerStep(key);
        return `${JSON.stringify(key)}:${canonical(value[key], reading, inner)}`;
      });
    return `{${members.join()}}`;
  }
  if (typeof value !== 'number') return JSON.stringify(value);
  const decimal = reading?.(value, pointer);
  // Zero has one text, whatever its sign; a number that is too large for a double is not `null`.
  return decimal === undefined ? String(value) : plainText(decimal);
}

const DUPLICATES = 'must NOT have duplicate items';
const NOT_LISTED = {
  message: 'must be equal to one of the allowed values',
  params: ({ schemaCode }: { schemaCode: unknown }) => _`{allowedValues: ${schemaCode as never}}`,
};

/**
 * `uniqueItems` and `enum` in linear time: ajv compares each with each. And `const`: ajv calls what a value
 * has as `valueOf` or `toString`.
 */
export function linearKeywords(): FuncKeywordDefinition[] {
  return comparing(undefined);
}

function comparing(hand: NumbersAtHand | undefined): FuncKeywordDefinition[] {
  return [
    {
      keyword: 'uniqueItems',
      type: 'array',
      schemaType: 'boolean',
      errors: false,
      compile: (isUnique: boolean) => (items: readonly unknown[], context) => {
        if (!isUnique) return true;
        const at = context?.instancePath ?? '';
        const reading = readingOf(hand);
        const text = (item: unknown, index: number): string =>
          canonical(item, reading, at + pointerStep(index));
        return new Set(items.map(text)).size === items.length;
      },
      error: { message: DUPLICATES },
    },
    {
      keyword: 'enum',
      schemaType: 'array',
      errors: false,
      compile: (allowedValues: readonly unknown[], parent) => {
        const stated = hand && statedIn(parent);
        const texts = new Set(
          allowedValues.map((value, at) => canonical(value, stated, `/enum/${at}`)),
        );
        const reading = readingOf(hand);
        return (value: unknown, context) =>
          texts.has(canonical(value, reading, context?.instancePath));
      },
      error: NOT_LISTED,
    },
    {
      keyword: 'const',
      errors: false,
      compile: (allowed: unknown, parent) => {
        const text = canonical(allowed, hand && statedIn(parent), '/const');
        const isSimple = hand === undefined && (typeof allowed !== 'object' || allowed === null);
        if (isSimple) return (value: unknown) => value === allowed;
        const reading = readingOf(hand);
        return (value: unknown, context) =>
          canonical(value, reading, context?.instancePath) === text;
      },
      error: {
        message: 'must be equal to constant',
        params: ({ schemaCode }) => _`{allowedValue: ${schemaCode}}`,
      },
    },
  ];
}

/** `multipleOf` by decimal digits: by doubles 8.69 is no multiple of 0.01. */
export function decimalMultipleOf(hand?: NumbersAtHand): FuncKeywordDefinition {
  return {
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    errors: false,
    compile: (factor: number, parent) => {
      const of = statedIn(parent)(factor, '/multipleOf');
      return (value: number, context) => {
        const decimal = numberAt(hand, value, context);
        return of === undefined || decimal === undefined || isMultiple(decimal, of);
      };
    },
    error: {
      message: ({ schemaCode }) => _`'must be multiple of ' + ${schemaCode}`,
      params: ({ schemaCode }) => _`{multipleOf: ${schemaCode}}`,
    },
  };
}

type Context = Parameters<SchemaValidateFunction>[3];

function numberAt(
  hand: NumbersAtHand | undefined,
  value: number,
  context: Context,
): Decimal | undefined {
  return hand?.numbers.get(context?.instancePath ?? '') ?? decimalOf(String(value));
}

const BOUNDS: readonly (readonly [string, string, (compared: number) => boolean])[] = [
  ['minimum', '>=', (compared) => compared >= 0],
  ['maximum', '<=', (compared) => compared <= 0],
  ['exclusiveMinimum', '>', (compared) => compared > 0],
  ['exclusiveMaximum', '<', (compared) => compared < 0],
];

/** Keywords that judge the numbers at hand by their text, all others as ajv does. */
export function exactKeywords(hand: NumbersAtHand): FuncKeywordDefinition[] {
  const bounds = BOUNDS.map(([keyword, comparison, holds]): FuncKeywordDefinition => ({
    keyword,
    type: 'number',
    schemaType: 'number',
    errors: false,
    compile: (limit: number, parent) => {
      const bound = statedIn(parent)(limit, `/${keyword}`);
      return (value: number, context) => {
        const decimal = numberAt(hand, value, context);
        // As ajv does, what is too large for digits is compared by doubles.
        const isByDigits = bound !== undefined && decimal !== undefined;
        return holds(isByDigits ? compareDecimals(decimal, bound) : value - limit);
      };
    },
    error: {
      message: ({ schemaCode }) => _`'must be ' + ${comparison} + ' ' + ${schemaCode}`,
      params: ({ schemaCode }) => _`{comparison: ${comparison}, limit: ${schemaCode}}`,
    },
  }));
  return [...comparing(hand), decimalMultipleOf(hand), ...bounds, exactFormat(hand)];
}

const INTEGERS: Readonly<Record<string, readonly [least: bigint, most: bigint]>> = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
};

/** `format`, by the text of numbers; ajv's own reading of all others. */
function exactFormat(hand: NumbersAtHand): FuncKeywordDefinition {
  return {
    keyword: 'format',
    type: ['string', 'number'],
    schemaType: 'string',
    errors: false,
    compile: (name: string, _parent, { self }) => {
      const format = self.formats[name];
      const range = INTEGERS[name];
      return (value: unknown, context) => {
        if (typeof value === 'string') return matches(format, value);
        const decimal = hand.numbers.get(context?.instancePath ?? '');
        if (decimal === undefined) return matches(format, value);
        return (
          range === undefined ||
          (isWhole(decimal) &&
            compareDecimals(decimal, { digits: range[0], exponent: 0 }) >= 0 &&
            compareDecimals(decimal, { digits: range[1], exponent: 0 }) <= 0)
        );
      };
    },
    error: {
      message: ({ schemaCode }) => _`'must match format "' + ${schemaCode} + '"'`,
      params: ({ schemaCode }) => _`{format: ${schemaCode}}`,
    },
  };
}

/** Whether a value is of a format as ajv keeps it; one that is not known says nothing. */
function matches(format: AddedFormat | undefined, value: unknown): boolean {
  if (format === undefined || typeof format === 'boolean') return true;
  const isOfNumbers = typeof format === 'object' && 'type' in format && format.type === 'number';
  if (isOfNumbers !== (typeof value === 'number')) return true;
  const validate = typeof format === 'object' && 'validate' in format ? format.validate : format;
  if (typeof validate === 'function') return (validate as (value: unknown) => boolean)(value);
  return new RegExp(validate, validate instanceof RegExp ? validate.flags : 'u').test(
    String(value),
  );
}
