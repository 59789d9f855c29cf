import type { Row } from '../row.ts';
import { answering, contractWith, EITHER, fileContract, REFUSED, USED } from './contract-kit.ts';
const deepSchema = (depth: number): string =>
  `{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{"/v1/thing":{"get":{"responses":{"200":{"description":"","content":{"application/json":{"schema":${'{"items":'.repeat(depth)}{}${'}'.repeat(depth)}}}}}}}}}`;

/** Patterns of a schema, each with a value that is expensive to match. */
const PATTERNS: readonly (readonly [
  name: string,
  pattern: string,
  value: string,
  fast: boolean,
])[] = [
  ['nested quantifiers', '^(a+)+$', `${'a'.repeat(50_000)}!`, true],
  ['overlapping alternatives', '^(a|a)*$', `${'a'.repeat(50_000)}!`, false],
  ['many wildcards', '^(.*)(.*)(.*)(.*)(.*)x$', 'a'.repeat(50_000), false],
  ['a polynomial pattern', '\\s+$', `${' '.repeat(100_000)}x`, false],
  ['a huge quantifier', 'a{1,100000}b', 'a'.repeat(50_000), false],
  [
    'nested quantifiers with counts',
    '^((a{1,100}){1,100}){1,100}$',
    `${'a'.repeat(10_000)}!`,
    false,
  ],
  ['a back reference', '^(a+)\\1+$', `${'a'.repeat(5_000)}b`, true],
  ['a look behind', '(?<=(a+)+)b', 'a'.repeat(20_000), false],
  ['a look ahead', '^(?=(a+)+$)a*$', `${'a'.repeat(20_000)}!`, false],
  ['a pattern that is none', '(', 'x', false],
];

/** Contracts whose schemas never end, or cost much to apply. */
export const CONTRACT_SCHEMA_ROWS: readonly Row[] = [
  fileContract('schemas nested 3,000 deep', () => deepSchema(3_000), { exits: EITHER }),
  fileContract('schemas nested 50,000 deep', () => deepSchema(50_000), {
    exits: REFUSED,
    fast: true,
  }),
  fileContract(
    'a schema that is itself',
    contractWith(
      { $ref: '#/components/schemas/A' },
      {
        components: { schemas: { A: { $ref: '#/components/schemas/A' } } },
      },
    ),
    { exits: EITHER, fast: true },
  ),
  fileContract(
    'schemas that are each other',
    contractWith(
      { $ref: '#/components/schemas/A' },
      {
        components: {
          schemas: { A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' } },
        },
      },
    ),
    { exits: EITHER },
  ),
  fileContract(
    'a schema of lists of itself',
    contractWith(
      { $ref: '#/components/schemas/A' },
      {
        components: {
          schemas: { A: { type: 'array', items: { $ref: '#/components/schemas/A' }, minItems: 1 } },
        },
      },
    ),
    {
      exits: USED,
      fast: true,
      spoils: [{ how: 'body', text: 'deep-arrays', size: 100_000, api: 'ai', path: '/v1/thing' }],
    },
  ),
  fileContract(
    'all of itself',
    contractWith(
      { $ref: '#/components/schemas/A' },
      {
        components: {
          schemas: {
            A: {
              allOf: [{ $ref: '#/components/schemas/A' }],
              anyOf: [{ $ref: '#/components/schemas/A' }],
            },
          },
        },
      },
    ),
    { exits: EITHER, spoils: [answering('{}')] },
  ),
  fileContract(
    '5,000 schemas',
    () =>
      contractWith(
        { $ref: '#/components/schemas/S0' },
        {
          components: {
            schemas: Object.fromEntries(
              Array.from({ length: 5_000 }, (_, n) => [
                `S${n}`,
                {
                  type: 'object',
                  properties: { a: { $ref: `#/components/schemas/S${(n + 1) % 5_000}` } },
                },
              ]),
            ),
          },
        },
      ),
    { exits: EITHER },
  ),
  fileContract(
    '20,000 members that are required',
    () =>
      contractWith({
        type: 'object',
        required: Array.from({ length: 20_000 }, (_, n) => `m${n}`),
      }),
    { exits: EITHER, spoils: [answering('{}')] },
  ),
  fileContract(
    'unique items in a list of 500,000',
    contractWith({ type: 'array', uniqueItems: true }),
    {
      exits: [1, 3],
      fast: true,
      spoils: [answering(`[${Array.from({ length: 300_000 }, (_, n) => `{"a":${n}}`).join(',')}]`)],
    },
  ),
  ...PATTERNS.map(([name, pattern, value, fast]) =>
    fileContract(
      `a pattern with ${name}`,
      contractWith({ type: 'object', properties: { v: { type: 'string', pattern } } }),
      {
        exits: name === 'a pattern that is none' ? EITHER : USED,
        fast,
        spoils: [answering(JSON.stringify({ v: value }))],
      },
    ),
  ),
  fileContract(
    'a pattern with nested quantifiers for names',
    contractWith({
      type: 'object',
      patternProperties: { '^(a+)+$': {} },
      additionalProperties: false,
    }),
    {
      exits: USED,
      spoils: [answering(JSON.stringify({ [`${'a'.repeat(5_000)}!`]: 1 }))],
    },
  ),
];
