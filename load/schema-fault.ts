/** What others may have written, held against a schema of what is read of it. */

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** The schema of an object, which has all of its members unless it is said which it must have. */
export function objectOf(
  properties: object,
  required: readonly string[] = Object.keys(properties),
): object {
  return { type: 'object', properties, required };
}

/** The schema of a list of at most so many items. */
export function listOf(items: object, maxItems: number, minItems = 0): object {
  return { type: 'array', items, maxItems, minItems };
}

/** What finds the first thing that is wrong with a value by a schema, as a clause; compiled when it is first asked. */
export function faultFinder(schema: () => object): (value: unknown) => string | undefined {
  let validate: ValidateFunction | undefined;
  return (value) => {
    validate ??= new Ajv2020({ strict: false, logger: false }).compile(schema());
    if (validate(value)) return undefined;
    const { instancePath = '', message = 'is wrong' } = validate.errors?.[0] ?? {};
    return `${instancePath === '' ? 'it' : instancePath} ${message}`;
  };
}
