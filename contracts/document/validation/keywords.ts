import { _, type FuncKeywordDefinition, type SchemaValidateFunction } from 'ajv';
import { isObject, pointerStep } from '../../wire/json.ts';
import { compareDecimals, type Decimal, decimalOf, isMultiple, plainText } from './decimal.ts';
import type { ExactNumbers } from './exact-numbers.ts';

/** Numbers that a double does not hold, of the body that is validated now. */
export interface NumbersAtHand {
  numbers: ExactNumbers;
}

/**
 * A value as a text that is the same for equal values, in whatever order their members stand.
 *
 * @param pointer where it stands in the body, if numbers are looked up by their places
 */
function canonical(value: unknown, numbers?: ExactNumbers, pointer = ''): string {
  if (Array.isArray(value)) {
    return `[${value.map((item, at) => canonical(item, numbers, numbers && pointer + pointerStep(at))).join()}]`;
  }
  if (isObject(value)) {
    const members = Object.keys(value)
      .sort()
      .map((key) => {
        const inner = numbers && pointer + pointerStep(key);
        return `${JSON.stringify(key)}:${canonical(value[key], numbers, inner)}`;
      });
    return `{${members.join()}}`;
  }
  const exact = numbers?.get(pointer);
  if (exact !== undefined) return plainText(exact);
  // Zero has one text, whatever its sign.
  if (typeof value !== 'number' || numbers === undefined) return JSON.stringify(value);
  const decimal = decimalOf(String(value));
  return decimal === undefined ? String(value) : plainText(decimal);
}

const DUPLICATES = 'must NOT have duplicate items';
const NOT_LISTED = {
  message: 'must be equal to one of the allowed values',
  params: ({ schemaCode }: { schemaCode: unknown }) => _`{allowedValues: ${schemaCode as never}}`,
};

/** `uniqueItems` and `enum` in linear time: ajv compares each with each. */
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
        const text = (item: unknown, index: number): string =>
          canonical(item, hand?.numbers, at + pointerStep(index));
        return new Set(items.map(text)).size === items.length;
      },
      error: { message: DUPLICATES },
    },
    {
      keyword: 'enum',
      schemaType: 'array',
      errors: false,
      compile: (allowedValues: readonly unknown[]) => {
        const numbers = hand === undefined ? undefined : new Map();
        const texts = new Set(allowedValues.map((value) => canonical(value, numbers)));
        return (value: unknown, context) =>
          texts.has(canonical(value, hand?.numbers, context?.instancePath));
      },
      error: NOT_LISTED,
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
    compile: (factor: number) => {
      const of = decimalOf(String(factor));
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
    compile: (limit: number) => {
      const bound = decimalOf(String(limit));
      return (value: number, context) => {
        const decimal = numberAt(hand, value, context);
        return (
          bound === undefined || decimal === undefined || holds(compareDecimals(decimal, bound))
        );
      };
    },
    error: {
      message: ({ schemaCode }) => _`'must be ' + ${comparison} + ' ' + ${schemaCode}`,
      params: ({ schemaCode }) => _`{comparison: ${comparison}, limit: ${schemaCode}}`,
    },
  }));
  const constant: FuncKeywordDefinition = {
    keyword: 'const',
    errors: false,
    compile: (allowed: unknown) => {
      const text = canonical(allowed, new Map());
      return (value: unknown, context) =>
        canonical(value, hand.numbers, context?.instancePath) === text;
    },
    error: {
      message: 'must be equal to constant',
      params: ({ schemaCode }) => _`{allowedValue: ${schemaCode}}`,
    },
  };
  return [...comparing(hand), decimalMultipleOf(hand), ...bounds, constant];
}
