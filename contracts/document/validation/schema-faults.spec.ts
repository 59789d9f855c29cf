import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { schemaFaults } from './schema-faults.ts';

function faultsOf(schema: object, value: unknown): string[] {
  const validate = new Ajv2020({ allErrors: true, verbose: true, strict: false }).compile(schema);
  validate(value);
  return schemaFaults(validate.errors ?? []).listed.map(
    ({ pointer, expected, facet }) =>
      `${pointer}: ${expected}${facet === undefined ? '' : ` [${facet}]`}`,
  );
}

const TABLE: [what: string, schema: object, value: unknown, faults: string[]][] = [
  ['a valid value', { type: 'object' }, {}, []],
  ['a missing field', { required: ['a/b~c'] }, {}, ['/a~1b~0c: required field']],
  ['a field too many', { additionalProperties: false }, { x: 1 }, ['/x: absent']],
  ['a forbidden field', { properties: { x: false } }, { x: 1 }, ['/x: absent']],
  [
    'a wrong key',
    { propertyNames: { pattern: '^[0-9]+$' } },
    { 'a/b': 1 },
    ['/a~1b: text matching ^[0-9]+$'],
  ],
  ['types', { type: ['number', 'string'] }, null, [': a number or a string']],
  ['a type with a vowel', { type: ['integer', 'null'] }, 'x', [': an integer or null']],
  ['a constant', { const: 'success' }, 'ok', [': "success"']],
  ['a list of values', { enum: ['dex', 'bridge', 1] }, 'x', [': one of dex, bridge, 1']],
  [
    'a missing item',
    { contains: { const: 'a' } },
    ['b', 'c'],
    [': an item that matches {"const":"a"}'],
  ],
  ['a length', { minLength: 2 }, 'a', [': at least 2 characters']],
  [
    'a choice',
    { anyOf: [{ type: 'string' }, { required: ['a'] }] },
    { b: 1 },
    [': any of the 2 alternatives'],
  ],
  [
    'a missing item beside items that are wrong by another schema',
    { allOf: [{ items: { type: 'string' } }], contains: { const: 'a' } },
    [1, 2],
    ['/0: a string', ': an item that matches {"const":"a"}'],
  ],
  [
    'a choice in a schema that refers to itself',
    {
      $ref: '#/$defs/E',
      $defs: {
        E: {
          anyOf: [
            { required: ['a'], properties: { a: { type: 'number' } } },
            { required: ['not'], properties: { not: { $ref: '#/$defs/E' } } },
          ],
        },
      },
    },
    { not: { not: { a: 'x' } } },
    [': any of the 2 alternatives'],
  ],
  [
    'a choice beside a fault',
    { required: ['z'], properties: { c: { oneOf: [{ type: 'string' }, { type: 'null' }] } } },
    { c: 1 },
    ['/z: required field', '/c: exactly one of the 2 alternatives'],
  ],
  [
    'a condition',
    { if: { required: ['a'] }, then: { required: ['b'] } },
    { a: 1 },
    ['/b: required field'],
  ],
  [
    'a kind of value',
    { properties: { a: { type: 'string', 'x-facet': 'hex', 'x-expected': 'hex digits' } } },
    { a: 1 },
    ['/a: hex digits [hex]'],
  ],
  [
    'a kind of value twice',
    {
      allOf: [
        { type: 'string', 'x-facet': 'hex', 'x-expected': 'hex digits' },
        { type: 'string', 'x-facet': 'hex', 'x-expected': 'more hex digits' },
      ],
    },
    1,
    [': hex digits [hex]'],
  ],
  [
    'a facet of the holder',
    { 'x-facet': 'steps', required: ['steps'] },
    {},
    ['/steps: required field [steps]'],
  ],
];

test.each(TABLE)('%s', (_, schema, value, faults) => {
  expect(faultsOf(schema, value)).toEqual(faults);
});
