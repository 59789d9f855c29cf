import { registerSchema, unregisterSchema, validate } from '@hyperjump/json-schema/draft-2020-12';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadedSchema } from './loaded-schema.testkit.ts';
import { schemaFiles, values } from './random-schemas.testkit.ts';

const some = fc.array(values, { minLength: 5, maxLength: 15 });

/** The verdicts of ajv as it is; none on a schema that makes it throw. */
function verdictsOfAjv(schema: object, given: readonly unknown[]): boolean[] | undefined {
  try {
    const validate = new Ajv2020({ strict: false, validateSchema: false }).compile(schema);
    return given.map((value) => validate(value));
  } catch {
    return undefined;
  }
}

test('verdicts on random schemas are those of plain ajv', () => {
  fc.assert(
    fc.property(schemaFiles('plain'), some, (schema, given) => {
      const expected = verdictsOfAjv(schema, given);
      fc.pre(expected !== undefined);
      for (const origin of ['own', 'foreign'] as const) {
        expect([origin, ...given.map(loadedSchema(schema, origin))]).toEqual([origin, ...expected]);
      }
    }),
    { numRuns: 150 },
  );
});

test('verdicts on random schemas are those of a second validator, also for what is unevaluated', async () => {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(schemaFiles('all'), some, async (schema, given) => {
      runs += 1;
      const id = `https://schemas.test/${runs}`;
      const $schema = 'https://json-schema.org/draft/2020-12/schema';
      registerSchema({ ...schema, $schema }, id);
      const other = await validate(id);
      const expected = given.map((value) => other(value as Parameters<typeof other>[0]).valid);
      unregisterSchema(id);
      for (const origin of ['own', 'foreign'] as const) {
        expect([origin, ...given.map(loadedSchema(schema, origin))]).toEqual([origin, ...expected]);
      }
    }),
    { numRuns: 100 },
  );
});
