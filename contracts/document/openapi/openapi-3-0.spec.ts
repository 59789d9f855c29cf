import { expect, test } from 'vitest';
import { DIGITS } from '../stated-digits.ts';
import { rewriteSchema30 } from './openapi-3-0.ts';

const NULL = { type: 'null' };
const REF = { $ref: '#/a' };

const TABLE: [what: string, before: Record<string, unknown>, after: unknown][] = [
  ['a nullable type', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
  [
    'a nullable list of values',
    { type: 'string', nullable: true, enum: ['a'] },
    { type: ['string', 'null'], enum: ['a', null] },
  ],
  ['a list that has null', { nullable: true, enum: ['a', null] }, { enum: ['a', null] }],
  ['nullable without a type', { nullable: true, minLength: 1 }, { minLength: 1 }],
  [
    'a nullable composition',
    { nullable: true, allOf: [REF], description: 'd' },
    { description: 'd', if: NULL, else: { allOf: [REF] } },
  ],
  [
    'a nullable composition of a type',
    { type: 'object', nullable: true, allOf: [REF] },
    { type: ['object', 'null'], if: NULL, else: { allOf: [REF] } },
  ],
  ['not nullable', { type: 'string', nullable: false }, { type: 'string' }],
  ['an exclusive bound', { minimum: 1, exclusiveMinimum: true }, { exclusiveMinimum: 1 }],
  ['an inclusive bound', { maximum: 1, exclusiveMaximum: false }, { maximum: 1 }],
  [
    'the digits of an exclusive bound',
    { minimum: 2 ** 63, exclusiveMinimum: true, [DIGITS]: { '/minimum': '9223372036854775807' } },
    { exclusiveMinimum: 2 ** 63, [DIGITS]: { '/exclusiveMinimum': '9223372036854775807' } },
  ],
  ['a bound of 3.1', { exclusiveMinimum: 1 }, { exclusiveMinimum: 1 }],
  ['what judges beside a reference', { ...REF, maxLength: 1, enum: [1], type: 'null' }, REF],
  [
    'what describes beside it',
    { ...REF, readOnly: true, 'x-a': 1 },
    { ...REF, readOnly: true, 'x-a': 1 },
  ],
  ['a nullable reference', { ...REF, nullable: true }, { if: NULL, else: REF }],
  [
    'keywords of later versions',
    { type: 'object', const: 1, if: {}, then: false, patternProperties: {}, $id: 'a' },
    { type: 'object' },
  ],
  ['plain data', { example: { nullable: true } }, { example: { nullable: true } }],
];

test.each(TABLE)('%s', (_, before, after) => {
  rewriteSchema30(before);
  expect(before).toEqual(after);
});
