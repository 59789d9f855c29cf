import { expect, test } from 'vitest';
import { asJsonSchema2020 } from './openapi-3-0.ts';

const TABLE: [what: string, before: unknown, after: unknown][] = [
  ['a nullable type', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
  [
    'a nullable list of values',
    { type: 'string', nullable: true, enum: ['a'] },
    { type: ['string', 'null'], enum: ['a', null] },
  ],
  [
    'a nullable composition',
    { nullable: true, allOf: [{}] },
    { anyOf: [{ type: 'null' }, { allOf: [{}] }] },
  ],
  ['not nullable', { type: 'string', nullable: false }, { type: 'string' }],
  ['an exclusive bound', { minimum: 1, exclusiveMinimum: true }, { exclusiveMinimum: 1 }],
  ['an inclusive bound', { maximum: 1, exclusiveMaximum: false }, { maximum: 1 }],
  ['a bound of 3.1', { exclusiveMinimum: 1 }, { exclusiveMinimum: 1 }],
  [
    'a field of that name',
    { properties: { nullable: { type: 'string', nullable: true } } },
    { properties: { nullable: { type: ['string', 'null'] } } },
  ],
  [
    'a field named like a keyword for data',
    { properties: { example: { type: 'string', nullable: true } } },
    { properties: { example: { type: ['string', 'null'] } } },
  ],
  [
    'plain data',
    { example: { nullable: true }, enum: [{ nullable: true }] },
    { example: { nullable: true }, enum: [{ nullable: true }] },
  ],
];

test.each(TABLE)('%s', (_, before, after) => {
  expect(asJsonSchema2020(before)).toEqual(after);
});
