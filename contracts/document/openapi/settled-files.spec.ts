import { describe, expect, test } from 'vitest';
import { contractOfFiles, openapi, success } from '../contract-of.testkit.ts';
import type { Contract } from '../schema.ts';
import { settledFiles } from './settled-files.ts';

const NULLABLE = { type: 'string', nullable: true };
const TEXT = { type: 'string' };
const AS_2020 = { type: ['string', 'null'] };
const content = (schema: object): object => ({ 'application/json': { schema } });
const answer = (schema: object): object => ({ description: 'd', content: content(schema) });

/** What stands at a place of a document once it is settled. */
function settledAt(steps: readonly string[], value: object): unknown {
  const url = 'file:///a.json';
  const { files } = settledFiles(url, url, new Map([[url, value]]));
  return steps.reduce<unknown>(
    (holder, step) => (holder as Readonly<Record<string, unknown>>)[step],
    files.get(url),
  );
}

describe('schemas of a 3.0 document are found where OpenAPI has them', () => {
  const operation = (holder: object): object => ({ '/x': { get: holder } });
  test.each<[steps: string, paths: object, components: object]>([
    [
      'paths /x get responses default content application/json schema',
      operation({ responses: { default: answer(NULLABLE) } }),
      {},
    ],
    [
      'paths /x get requestBody content application/json schema',
      operation({ requestBody: { content: content(NULLABLE) } }),
      {},
    ],
    ['paths /x parameters 0 schema', { '/x': { parameters: [{ schema: NULLABLE }] } }, {}],
    [
      'paths /x get callbacks default {$url} post requestBody content application/json schema',
      operation({
        callbacks: {
          default: { '{$url}': { post: { requestBody: { content: content(NULLABLE) } } } },
        },
      }),
      {},
    ],
    ['components schemas default', {}, { schemas: { default: NULLABLE } }],
    ['components schemas example', {}, { schemas: { example: NULLABLE } }],
    ['components schemas properties', {}, { schemas: { properties: NULLABLE } }],
    ['components schemas const', {}, { schemas: { const: NULLABLE } }],
    [
      'components responses enum content application/json schema',
      {},
      { responses: { enum: answer(NULLABLE) } },
    ],
    ['components parameters value schema', {}, { parameters: { value: { schema: NULLABLE } } }],
    ['components headers example schema', {}, { headers: { example: { schema: NULLABLE } } }],
    [
      'components responses a headers default schema',
      {},
      { responses: { a: { headers: { default: { schema: NULLABLE } } } } },
    ],
    ...['nullable', 'enum', 'example', '$ref', 'exclusiveMinimum', 'default', '$id', 'const'].map(
      (name): [string, object, object] => [
        `components schemas A properties ${name}`,
        {},
        { schemas: { A: { properties: { [name]: NULLABLE } } } },
      ],
    ),
    [
      'components schemas A items allOf 0 additionalProperties not',
      {},
      { schemas: { A: { items: { allOf: [{ additionalProperties: { not: NULLABLE } }] } } } },
    ],
  ])('%s', (steps, paths, components) => {
    const document = openapi('3.0.3', paths, components);
    expect(settledAt(steps.split(' '), document)).toEqual(AS_2020);
    const newer = openapi('3.1.0', paths, components);
    expect(settledAt(steps.split(' '), newer)).toEqual(TEXT);
  });
});

test.each<[steps: string, document: object]>([
  [
    'components schemas A example',
    { components: { schemas: { A: { example: { a: NULLABLE, schema: NULLABLE } } } } },
  ],
  [
    'components schemas A default',
    { components: { schemas: { A: { default: { properties: { a: NULLABLE } } } } } },
  ],
  [
    'components schemas A enum',
    { components: { schemas: { A: { enum: [NULLABLE, { $ref: '#/no' }] } } } },
  ],
  [
    'components examples schema',
    { components: { examples: { schema: { value: { schema: NULLABLE } } } } },
  ],
  ['x-schemas', { 'x-schemas': { A: NULLABLE, schemas: NULLABLE } }],
  [
    'components schemas A x-properties',
    { components: { schemas: { A: { 'x-properties': { a: NULLABLE } } } } },
  ],
  ['paths x-schema', { paths: { 'x-schema': { get: { responses: { 200: answer(NULLABLE) } } } } }],
])('data stays as it is: %s', (steps, document) => {
  const path = steps.split(' ');
  const at = (value: unknown): unknown =>
    path.reduce((holder, step) => (holder as Readonly<Record<string, unknown>>)[step], value);
  expect(settledAt(path, { openapi: '3.0.3', ...document })).toEqual(at(document));
});

const PATH = '/x';

function contractOf(
  version: string,
  schema: object,
  files: Readonly<Record<string, object>> = {},
): Promise<Contract> {
  const requestBody = { content: content(schema) };
  const paths = { [PATH]: { post: { requestBody, responses: success(schema) } } };
  return contractOfFiles({ 'a.json': openapi(version, paths), ...files });
}

/** Whether answers may be a value, and requests too. */
function takes(contract: Contract, value: unknown): boolean {
  const operation = contract.find('ai', 'POST', PATH);
  const isTaken = operation?.faultsOf(200, value).listed.length === 0;
  expect(operation?.requestFaultsOf(value).listed.length === 0).toBe(isTaken);
  return isTaken;
}

const TYPED = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...NULLABLE };
const HINTED = {
  $schema: 'https://spec.openapis.org/oas/3.0/schema/2021-09-28',
  ...NULLABLE,
};

describe('a file is written as it says, or else as the first one', () => {
  const part = (version: string): object => openapi(version, {}, { schemas: { A: NULLABLE } });
  const inPart = { $ref: 'b.json#/components/schemas/A' };
  test.each<[what: string, version: string, schema: object, part: object, isNullTaken: boolean]>([
    ['3.0', '3.0.3', { $ref: 'b.json' }, NULLABLE, true],
    ['3.0, by a pointer', '3.0.3', { $ref: 'b.json#/A' }, { A: NULLABLE }, true],
    ['3.1', '3.1.0', { $ref: 'b.json' }, NULLABLE, false],
    ['3.1 by its own word', '3.0.3', inPart, part('3.1.0'), false],
    ['3.0 by its own word', '3.1.0', inPart, part('3.0.0'), true],
    ['JSON Schema by its own word', '3.0.3', { $ref: 'b.json' }, TYPED, false],
    ['3.0, with a word for editors', '3.0.3', { $ref: 'b.json' }, HINTED, true],
  ])('%s', async (_, version, schema, value, isNullTaken) => {
    const contract = await contractOf(version, schema, { 'b.json': value });
    expect(takes(contract, 'a')).toBe(true);
    expect(takes(contract, 1)).toBe(false);
    expect(takes(contract, null)).toBe(isNullTaken);
  });

  test('though documents of two versions share it', async () => {
    const responses = success({ $ref: 'c/b.json' });
    const contract = await contractOfFiles(
      {
        'older.json': openapi('3.0.3', { '/older': { get: { responses } } }),
        'newer.json': openapi('3.1.0', { '/newer': { get: { responses } } }),
        'c/b.json': NULLABLE,
      },
      ['older.json', 'newer.json'],
    );
    const faults = (path: string): number | undefined =>
      contract.find('ai', 'GET', path)?.faultsOf(200, null).listed.length;
    expect([faults('/older'), faults('/newer')]).toEqual([0, 1]);
  });
});

describe('what an author of 3.0 means', () => {
  const A = { type: 'object', required: ['n'], properties: { n: { type: 'number' } } };
  test.each<[what: string, schema: object, good: readonly unknown[], bad: readonly unknown[]]>([
    ['null of a type', NULLABLE, [null, 'a'], [1]],
    ['null of a list that lacks it', { ...NULLABLE, enum: ['a'] }, [null, 'a'], ['b']],
    ['null without a type', { nullable: true, enum: ['a'] }, [null, 'a'], ['b']],
    ['null of a composition', { nullable: true, allOf: [A] }, [null, { n: 1 }], [{}, 1]],
    [
      'null of a composition of a type',
      { type: 'object', nullable: true, allOf: [A] },
      [null, { n: 1 }],
      [{}, 1],
    ],
    ['null of a choice', { nullable: true, oneOf: [A, TEXT] }, [null, 'a'], [1, {}]],
    ['no null', { type: 'string', nullable: false }, ['a'], [null]],
    [
      'bounds',
      { minimum: 1, exclusiveMinimum: true, maximum: 3, exclusiveMaximum: false },
      [2, 3],
      [1, 4],
    ],
    [
      'keywords of later versions say nothing',
      { type: 'string', const: 'a', if: {}, then: false, contains: {}, $anchor: 'no name' },
      ['b'],
      [1],
    ],
    ['types of numbers', { items: { type: 'number', format: 'float' } }, [[1.5]], [['a']]],
    ['int32 is a range', { type: 'integer', format: 'int32' }, [2 ** 31 - 1], [2 ** 31, 0.5]],
    ['int64 is any integer', { type: 'integer', format: 'int64' }, [2 ** 53], [0.5]],
    ['double is any number', { type: 'number', format: 'double' }, [1e300], ['1']],
    ['byte is base64', { type: 'string', format: 'byte' }, ['YQ=='], ['%']],
    [
      'binary and password are any text',
      {
        anyOf: [
          { type: 'string', format: 'binary' },
          { type: 'string', format: 'password' },
        ],
      },
      ['\u0000'],
      [1],
    ],
    ['formats of others are any text', { type: 'string', format: 'colour' }, ['a'], [1]],
  ])('%s', async (_, schema, good, bad) => {
    const contract = await contractOf('3.0.3', schema);
    for (const value of good) expect([value, takes(contract, value)]).toEqual([value, true]);
    for (const value of bad) expect([value, takes(contract, value)]).toEqual([value, false]);
    expect(contract.notices).toEqual([]);
  });

  test('what stands beside a reference judges in 3.1 alone', async () => {
    const schema = { $ref: 'b.json', maxLength: 1 };
    const older = await contractOf('3.0.3', schema, { 'b.json': TEXT });
    const newer = await contractOf('3.1.0', schema, { 'b.json': TEXT });
    expect([takes(older, 'ab'), takes(newer, 'ab'), takes(older, 1)]).toEqual([true, false, false]);
  });

  test.each([
    ['nullable', true],
    ['id', 'a'],
    ['$async', true],
  ])('%s is no keyword of 3.1', async (keyword, value) => {
    const contract = await contractOf('3.1.0', { anyOf: [{ enum: ['a'], [keyword]: value }] });
    expect([takes(contract, 'a'), takes(contract, null)]).toEqual([true, false]);
  });

  test('faults below a nullable composition have their own places', async () => {
    const contract = await contractOf('3.0.3', {
      properties: { a: { nullable: true, allOf: [A] } },
    });
    const found = contract.find('ai', 'POST', PATH)?.faultsOf(200, { a: { n: 'x' } }).listed;
    expect(found).toEqual([{ pointer: '/a/n', expected: 'a number', times: 1 }]);
  });
});
