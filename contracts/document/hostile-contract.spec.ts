/** Long because it is a table of contracts that ask too much, each with what is said of it. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ContractError } from './contract-error.ts';
import { contractOf, success } from './contract-of.testkit.ts';
import { loadContract } from '../service/load-contract.ts';
import type { Contract } from './schema.ts';

const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });

function chain(length: number, schemaAt: (index: number) => object): Record<string, object> {
  return Object.fromEntries(Array.from({ length }, (_, at) => [`S${at}`, schemaAt(at)]));
}

function withSchema(schema: object, schemas: object = {}): Promise<Contract> {
  return contractOf({ '/x': { get: { responses: success(schema) } } }, { schemas });
}

function faults(contract: Contract, json: unknown): unknown[] {
  return (
    contract
      .find('ai', 'GET', '/x')
      ?.faultsOf(200, json)
      .listed.map(({ expected }) => expected) ?? []
  );
}

async function problemOf(loading: Promise<Contract>): Promise<string> {
  const error: unknown = await loading.catch((reason: unknown) => reason);
  if (!(error instanceof ContractError)) throw new Error(`no ContractError: ${String(error)}`);
  expect(error.message).not.toContain('\n');
  return error.message;
}

describe('a schema that is made of itself is refused with its place', () => {
  test.each<[string, object, object]>([
    ['at once', ref('A'), { A: ref('A') }],
    ['by another', ref('A'), { A: ref('B'), B: { allOf: [ref('A')] } }],
    ['by a branch', ref('A'), { A: { anyOf: [{ type: 'string' }, ref('A')] } }],
    ['by its negation', ref('A'), { A: { not: ref('A') } }],
    ['dynamically', ref('A'), { A: { $dynamicAnchor: 'a', $dynamicRef: '#a' } }],
    ['in a part', { properties: { a: ref('A') } }, { A: { if: ref('A') } }],
  ])('%s', async (_, schema, schemas) => {
    expect(await problemOf(withSchema(schema, schemas))).toMatch(/schema at #\/.* made of itself/);
  });
});

test('one that holds itself in a part of its value simply works', async () => {
  const node = {
    type: 'object',
    required: ['n'],
    properties: { n: { type: 'number' }, next: ref('A') },
  };
  const contract = await withSchema(ref('A'), { A: node });
  expect(faults(contract, { n: 1, next: { n: 2 } })).toEqual([]);
  expect(faults(contract, { n: 1, next: { n: 'x' } })).toEqual(['a number']);
});

test('hundreds of schemas that refer to one another are no trouble', async () => {
  const contract = await withSchema(ref('S0'), {
    ...chain(800, (at) => ({ type: 'object', properties: { a: ref(`S${at + 1}`) } })),
    S800: { type: 'string' },
  });
  expect(faults(contract, { a: { a: {} } })).toEqual([]);
  expect(faults(contract, { a: { a: [] } })).toEqual(['an object']);
});

test('a value that takes 2 to the power of 40 steps to validate is neither valid nor invalid', async () => {
  const contract = await withSchema(ref('S0'), {
    ...chain(40, (at) => ({ allOf: [ref(`S${at + 1}`), ref(`S${at + 1}`)] })),
    S40: { type: 'string' },
  });
  const operation = contract.find('ai', 'GET', '/x');
  expect(operation?.faultsOf(200, 'a')).toEqual({ listed: [], isComplete: false });
  // The first error ends it.
  expect(faults(contract, 1)).toEqual(['a string']);
});

describe('a contract that is too much is refused', () => {
  const operation = { get: { responses: success({ type: 'string' }) } };
  const many = (count: number): object =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`/p${at}`, operation]));
  test.each<[string, object, object, RegExp]>([
    ['operations', many(2_001), {}, /more than 2000 operations/],
    [
      'schemas',
      { '/x': { get: { responses: success({ allOf: Array(40_001).fill({ type: 'string' }) }) } } },
      {},
      /more than 40000 schemas/,
    ],
    [
      'patterns of names',
      {
        '/x': {
          get: {
            responses: success({
              patternProperties: Object.fromEntries(
                Array.from({ length: 201 }, (_, at) => [`^a${at}`, {}]),
              ),
            }),
          },
        },
      },
      {},
      /more than 200 patternProperties/,
    ],
    [
      'references in references',
      { '/x': { $ref: '#/components/pathItems/P0' } },
      {
        pathItems: Object.fromEntries(
          Array.from({ length: 31 }, (_, at) => {
            const next = { '/u': { $ref: `#/components/pathItems/P${at + 1}` } };
            return [`P${at}`, at === 30 ? {} : { get: { callbacks: { a: next, b: next } } }];
          }),
        ),
      },
      /stand for too much/,
    ],
  ])('%s', async (_, paths, components, message) => {
    expect(await problemOf(contractOf(paths, components))).toMatch(message);
  });
});

describe('patterns', () => {
  test('those that backtrack run in linear time', async () => {
    const contract = await withSchema({ pattern: '^(a+)+$' });
    expect(faults(contract, 'aaa')).toEqual([]);
    expect(faults(contract, `${'a'.repeat(50_000)}!`)).toEqual(['text matching ^(a+)+$']);
    expect(contract.notices).toEqual([]);
  });

  const AHEAD = '^(?=.*a).+$';
  test.each<[string, object, unknown]>([
    ['a text', { pattern: AHEAD }, 'b'],
    ['not a text', { not: { pattern: AHEAD } }, 'a'],
    ['not one behind a reference', { not: ref('A') }, 'a'],
    ['one of two', { oneOf: [{ pattern: AHEAD }, { pattern: '^b$' }] }, 'b'],
    ['where one holds', { if: { pattern: AHEAD }, then: false }, 'a'],
    ['at most one', { contains: { pattern: AHEAD }, maxContains: 1 }, ['a', 'a']],
    ['names', { patternProperties: { [AHEAD]: false } }, { a: 1 }],
    ['other names', { patternProperties: { [AHEAD]: {} }, additionalProperties: false }, { b: 1 }],
    ['names of names', { propertyNames: { pattern: AHEAD } }, { b: 1 }],
  ])('one that is not run makes nothing stricter: %s', async (_, schema, value) => {
    const contract = await withSchema(schema, { A: { type: 'string', pattern: AHEAD } });
    expect(faults(contract, value)).toEqual([]);
    expect(contract.notices).toHaveLength(1);
    expect(contract.notices[0]).toMatch(
      /^The pattern "\^\(\?=\.\*a\)\.\+\$" at #\/.* is not checked: it looks ahead or behind/,
    );
  });

  test('what stands beside it is still checked', async () => {
    const contract = await withSchema({ type: 'string', pattern: AHEAD, maxLength: 2 });
    expect(faults(contract, 'aaa')).toEqual(['at most 2 characters']);
    expect(faults(contract, 1)).toEqual(['a string']);
  });
});

describe('lists', () => {
  const items = Array.from({ length: 30_000 }, (_, at) => ({ at }));
  test('items that must differ are compared in linear time', async () => {
    const contract = await withSchema({ uniqueItems: true });
    expect(faults(contract, items)).toEqual([]);
    expect(
      faults(contract, [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ]),
    ).toHaveLength(1);
    expect(faults(contract, [1, '1', true, null])).toEqual([]);
  });

  test('and so are values that are listed', async () => {
    const values = items.map(({ at }) => `v${at}`);
    const contract = await withSchema({ items: { enum: values } });
    expect(faults(contract, values)).toEqual([]);
    expect(faults(await withSchema({ enum: ['a', null] }), 1)).toEqual(['one of a, null']);
  });
});

test('ids that contradict one another are reported', async () => {
  const twice = {
    A: { $id: 'http://x.invalid/a' },
    B: { $id: 'http://x.invalid/a', type: 'null' },
  };
  expect(await problemOf(withSchema({}, twice))).toMatch(/schemas that cannot be distinguished/);
});

describe('ids of operations', () => {
  const operation = (operationId: string): object => ({
    operationId,
    responses: success({ type: 'string' }),
  });
  test('what can stand in a name is kept, anything else is named by method and path', async () => {
    const contract = await contractOf({
      '/a': { get: operation('listThings') },
      '/b': { get: operation('list things') },
      '/c/{id}': { get: operation('../../etc/passwd') },
      '/d': { get: operation('x$(reboot)@y') },
      '/e': { get: operation('n'.repeat(201)) },
      '/f f': { get: operation('$HOME') },
      '/f_f': { get: operation('`id`') },
    });
    const own = contract.operations.filter(({ api }) => api === 'ai').map(({ id }) => id);
    expect(own).toEqual([
      'ai.listThings',
      'ai.get-b',
      'ai.get-c-{id}',
      'ai.get-d',
      'ai.get-e',
      'ai.get-f_f',
      'ai.get-f_f-2',
    ]);
  });

  test('no two operations have one', async () => {
    const contract = await contractOf({
      '/a': { get: operation('same'), post: operation('same') },
      '/b-c': { get: operation('get-b-c') },
      '/b/c': { get: operation('same') },
    });
    const own = contract.operations.filter(({ api }) => api === 'ai').map(({ id }) => id);
    expect(own).toEqual(['ai.same', 'ai.post-a', 'ai.get-b-c', 'ai.get-b-c-2']);
  });

  test('control characters are refused', async () => {
    const loading = contractOf({ '/a': { get: operation('a\u001b[2Jb') } });
    expect(await problemOf(loading)).toMatch(/control characters in the operationId of GET \/a/);
  });
});

test('paths that no request can have are left out with a notice', async () => {
  const item = { get: { responses: success({}) } };
  const contract = await contractOf({
    '/a\r\nX: y': item,
    [`/${'{'.repeat(100_000)}`]: item,
    '/b': item,
  });
  expect(contract.operations.filter(({ api }) => api === 'ai')).toHaveLength(1);
  expect(contract.notices).toEqual([
    expect.stringMatching(/left out: it has control characters, \/a\?\?X: y\.$/),
    expect.stringMatching(/left out: it has more than 1000 characters\.$/),
  ]);
});

describe('files', () => {
  let dir = '';
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'assay-hostile-'));
  });
  afterAll(() => {
    rmSync(dir, { recursive: true });
  });

  test.each([
    [
      'deep YAML',
      'a: '.concat('['.repeat(100_000)),
      /is too much at line 1, .* 200 levels deep\.$/,
    ],
    ['deep JSON', '{"a":'.repeat(100_000), /is too much: .* 200 levels deep\.$/],
    ['bytes', Buffer.from([0x61, 0xff]), /is not YAML or JSON: .* is not UTF-8/],
    ['much text', 'a: '.concat('x'.repeat(9_000_000)), /cannot be read: it has more than 8388608/],
  ])('%s', async (_, text, message) => {
    const source = join(dir, 'x.yaml');
    writeFileSync(source, text);
    expect(await problemOf(loadContract({ overrides: [{ api: 'ai', source }] }))).toMatch(message);
  });
});
