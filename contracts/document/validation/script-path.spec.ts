import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pointerOf } from '../../wire/json-pointer.ts';
import { newAjv } from './json-schema.ts';
import { pointerOfScript } from './script-path.ts';

test.each<[path: string, body: unknown, pointer: string]>([
  ['', {}, ''],
  ['.data.path[2]', { data: { path: [0, 1, 2] } }, '/data/path/2'],
  ['["a-b"]["c\\"]"]', { 'a-b': { 'c"]': 1 } }, '/a-b/c"]'],
  [`['a/b']['~']`, { 'a/b': { '~': 1 } }, '/a~1b/~0'],
  [`['a']['b']`, { a: { b: 1 } }, '/a/b'],
  [`['a']['b']`, { [`a']['b`]: 1 }, `/a']['b`],
  [`['gone']`, {}, ''],
])('%s in %j stands at %s', (path, body, pointer) => {
  expect(pointerOfScript(path, body)).toBe(pointer);
});

test('a wrong value is found at its pointer, however keys are written', () => {
  const key = fc.oneof(
    fc.string({ minLength: 1 }),
    fc.constantFrom('a', "']", '"', '~/', '0', '.x'),
  );
  const validate = newAjv({ errors: 'first', places: 'script' }).compile({
    $ref: '#/$defs/node',
    $defs: {
      node: {
        not: { const: 'wrong' },
        items: { $ref: '#/$defs/node' },
        additionalProperties: { $ref: '#/$defs/node' },
      },
    },
  });
  fc.assert(
    fc.property(fc.array(fc.oneof(key, fc.nat(3)), { maxLength: 5 }), (steps) => {
      const body = steps.reduceRight<unknown>(
        (inner, step) =>
          typeof step === 'number'
            ? [...Array.from({ length: step }, () => 1), inner]
            : Object.fromEntries([[step, inner]]),
        'wrong',
      );
      expect(validate(body)).toBe(false);
      const path = validate.errors?.at(-1)?.instancePath ?? 'none';
      expect(pointerOfScript(path, body)).toBe(pointerOf(steps));
    }),
  );
});
