/** Long because each of the odd things that OpenAPI allows is a document of its own. */

import { describe, expect, test } from 'vitest';
import { success } from '../contract-of.testkit.ts';
import type { ContractFile } from '../contract-files.ts';
import { loadContractOf } from '../load-contract.ts';
import type { Contract } from '../schema.ts';
import { PLAIN_ERRORS } from '../../wire/error-reading.ts';

const URL_OF = (name: string): string => `file:///odd/${name}`;
const INFO = { title: 'odd', version: '1' };

/** A contract of files, the first of which is its document. */
async function read(files: Readonly<Record<string, object>>): Promise<Contract> {
  const all = Object.entries(files).map(([name, value]): ContractFile => {
    const text = JSON.stringify(value);
    return { url: URL_OF(name), text, sha256: '', bytes: text.length };
  });
  const url = all[0]?.url ?? '';
  const contract = { api: 'odd', source: '/odd/root.json', url, files: all };
  return loadContractOf({ documents: [], errors: PLAIN_ERRORS }, { files: [contract] });
}

function document(fields: object, version = '3.1.0'): object {
  return { openapi: version, info: INFO, ...fields };
}

const EXTENSION = { 'x-any': { $ref: '#/nowhere', required: 'no' } };
const integer = { type: 'integer' };
const json = (schema: object): object => ({ content: { 'application/json': { schema } } });

function listed(
  contract: Contract,
  path: string,
  status: number,
  value: unknown,
): number | undefined {
  return contract.find('odd', 'GET', path)?.faultsOf(status, value).listed.length;
}

describe.each(['3.0.3', '3.1.1'])('OpenAPI %s allows', (version) => {
  const whole = (fields: object): Promise<Contract> =>
    read({ 'root.json': document(fields, version) });

  test.each(['bearer', 'Bearer', 'BEARER'])(
    'the scheme %s with the format of its tokens',
    async (scheme) => {
      const securitySchemes = {
        token: { type: 'http', scheme, bearerFormat: 'JWT' },
        other: { type: 'http', scheme: 'Basic' },
      };
      const { operations } = await whole({ paths: {}, components: { securitySchemes } });
      expect(operations).toEqual([]);
    },
  );

  test('a format of tokens for no other scheme', async () => {
    const token = { type: 'http', scheme: 'Basic', bearerFormat: 'JWT' };
    const loading = whole({ paths: {}, components: { securitySchemes: { token } } });
    await expect(loading).rejects.toThrow(/at #\/components\/securitySchemes\/token/);
  });

  test('callbacks, links and extensions at every place', async () => {
    const server = {
      url: '/{v}',
      variables: { v: { default: 'a', description: 'd', ...EXTENSION } },
    };
    const operation = {
      ...EXTENSION,
      parameters: [{ name: 'q', in: 'query', schema: integer, ...EXTENSION }],
      requestBody: {
        content: {
          'multipart/form-data': {
            schema: { type: 'object' },
            encoding: { a: { contentType: 'text/plain', ...EXTENSION } },
            ...EXTENSION,
          },
        },
        ...EXTENSION,
      },
      responses: {
        200: {
          description: 'd',
          headers: { 'X-H': { schema: integer, ...EXTENSION } },
          links: { next: { operationId: 'o', server, parameters: { a: 1, b: [2] }, ...EXTENSION } },
          ...json(integer),
          ...EXTENSION,
        },
        ...EXTENSION,
      },
      callbacks: {
        back: { '{$request.body#/url}': { post: { responses: success({}) } }, ...EXTENSION },
      },
      servers: [{ ...server, ...EXTENSION }],
    };
    const contract = await whole({
      info: { ...INFO, license: { name: 'MIT', ...EXTENSION }, ...EXTENSION },
      tags: [{ name: 't', ...EXTENSION }],
      paths: { '/a': { get: { operationId: 'o', ...operation }, ...EXTENSION }, ...EXTENSION },
      ...EXTENSION,
    });
    expect(contract.operations.map(({ id }) => id)).toEqual(['odd.o']);
    expect([listed(contract, '/a', 200, 1), listed(contract, '/a', 200, 'x')]).toEqual([0, 1]);
  });

  test('no paths, and components that nothing uses', async () => {
    const unused = { Broken: { type: 'string', pattern: 'a+' } };
    const contract = await whole({ paths: {}, components: { schemas: unused } });
    expect(contract.operations).toEqual([]);
    expect(contract.find('odd', 'GET', '/')).toBeUndefined();
  });

  test('parameters of a path, which an operation replaces', async () => {
    const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
    const limit = { name: 'limit', in: 'query', schema: { type: 'string' } };
    const contract = await whole({
      paths: {
        '/a/{id}': {
          parameters: [id, limit],
          get: { parameters: [{ ...limit, schema: integer }], responses: success({}) },
        },
      },
    });
    const { parameters } = contract.find('odd', 'GET', '/a/1')?.inputs ?? { parameters: [] };
    expect(parameters.map(({ name, schema }) => [name, schema?.accepts(1)])).toEqual([
      ['id', false],
      ['limit', true],
    ]);
  });

  test('a path item, a parameter, a response and a body in other files', async () => {
    const contract = await read({
      'root.json': document(
        { paths: { '/a': { $ref: 'items.json#/~1a' }, '/b': { $ref: 'b.json' } } },
        version,
      ),
      'items.json': {
        '/a': {
          parameters: [{ $ref: 'parts.json#/limit' }],
          get: { responses: { 200: { $ref: 'parts.json#/ok' } } },
          post: {
            requestBody: { $ref: 'parts.json#/body' },
            responses: { 200: { $ref: 'parts.json#/ok' } },
          },
        },
      },
      'b.json': { get: { responses: { 200: { $ref: 'parts.json#/ok' } } } },
      'parts.json': {
        limit: { name: 'limit', in: 'query', schema: { $ref: '#/n' } },
        ok: { description: 'd', ...json({ $ref: '#/n' }) },
        body: json({ $ref: '#/n' }),
        n: integer,
      },
    });
    for (const path of ['/a', '/b']) {
      expect([listed(contract, path, 200, 1), listed(contract, path, 200, 'x')]).toEqual([0, 1]);
    }
    const post = contract.find('odd', 'POST', '/a');
    expect(post?.inputs.parameters.map(({ schema }) => schema?.accepts('x'))).toEqual([false]);
    expect(post?.requestFaultsOf('x').listed).toHaveLength(1);
  });

  test('a parameter that is written as JSON', async () => {
    const filter = { name: 'filter', in: 'query', ...json({ type: 'object' }) };
    const contract = await whole({
      paths: { '/a': { get: { parameters: [filter], responses: success({}) } } },
    });
    const [parameter] = contract.find('odd', 'GET', '/a')?.inputs.parameters ?? [];
    expect([parameter?.style, parameter?.schema?.accepts({})]).toEqual(['json', true]);
  });

  test('statuses by class and by default, and no content', async () => {
    const contract = await whole({
      paths: {
        '/a': {
          get: {
            responses: {
              204: { description: 'none', content: {} },
              '4XX': { description: 'd', ...json({ type: 'string' }) },
              404: { description: 'd', ...json(integer) },
              default: { description: 'd', ...json({ type: 'boolean' }) },
            },
          },
        },
        '/b': { get: { responses: { default: { description: 'd', ...json(integer) } } } },
      },
    });
    const of = (status: number): unknown[] =>
      ['x', 1, true].filter((value) => listed(contract, '/a', status, value) === 0);
    expect([400, 404, 500, 200].map(of)).toEqual([['x'], [1], [true], [true]]);
    expect(of(204)).toHaveLength(3);
    const [a, b] = ['/a', '/b'].map((path) => contract.find('odd', 'GET', path));
    expect([a?.statesBody(204), a?.mediaTypesOf(204)]).toEqual([false, []]);
    expect([400, 404, 500].map((status) => a?.namesStatus(status))).toEqual([true, true, false]);
    expect(listed(contract, '/b', 200, 'x')).toBe(1);
    expect(b?.namesStatus(200)).toBe(false);
  });

  test('schemas of which a discriminator chooses one', async () => {
    const pet = (kind: string, field: object): object => ({
      type: 'object',
      required: ['kind', 'n'],
      properties: { kind: { type: 'string', enum: [kind] }, n: field },
    });
    const schemas = { Cat: pet('cat', integer), Dog: pet('hound', { type: 'string' }) };
    const schema = {
      oneOf: ['Cat', 'Dog'].map((name) => ({ $ref: `#/components/schemas/${name}` })),
      discriminator: {
        propertyName: 'kind',
        mapping: { cat: '#/components/schemas/Cat', hound: 'Dog' },
      },
    };
    const contract = await whole({
      paths: { '/a': { get: { responses: success(schema) } } },
      components: { schemas },
    });
    const values = [{ kind: 'cat', n: 1 }, { kind: 'hound', n: 'x' }, { kind: 'cat', n: 'x' }, {}];
    expect(values.map((value) => listed(contract, '/a', 200, value) === 0)).toEqual([
      ...[true, true, false, false],
    ]);
  });
});

describe('OpenAPI 3.1 allows', () => {
  test('webhooks alone, and components alone', async () => {
    const webhooks = { made: { post: { responses: success(integer) } } };
    expect((await read({ 'root.json': document({ webhooks }) })).operations).toEqual([]);
    const components = { pathItems: { P: { get: { responses: success(integer) } } } };
    expect((await read({ 'root.json': document({ components }) })).operations).toEqual([]);
  });

  test('fields beside a reference: words of any, methods and parameters of a path item', async () => {
    const limit = { name: 'limit', in: 'query', schema: integer };
    const contract = await read({
      'root.json': document({
        paths: {
          '/a': {
            $ref: '#/components/pathItems/P',
            summary: 'beside',
            parameters: [limit],
            put: { operationId: 'put', responses: success({}) },
          },
        },
        components: {
          pathItems: {
            P: {
              get: {
                operationId: 'get',
                responses: {
                  200: { $ref: '#/components/responses/R', summary: 's', description: 'other' },
                },
              },
            },
          },
          responses: {
            R: { description: 'd', ...json({ $ref: '#/components/schemas/N', title: 't' }) },
          },
          schemas: { N: { ...integer, description: 'n' } },
        },
      }),
    });
    expect(contract.operations.map(({ id }) => id).toSorted()).toEqual(['odd.get', 'odd.put']);
    expect(listed(contract, '/a', 200, 'x')).toBe(1);
    for (const { inputs } of contract.operations) {
      expect(inputs.parameters.map(({ name }) => name)).toEqual(['limit']);
    }
  });

  test('an operation without responses, of which nothing is judged', async () => {
    const contract = await read({ 'root.json': document({ paths: { '/a': { get: {} } } }) });
    expect(listed(contract, '/a', 200, 'x')).toBe(0);
    expect(contract.find('odd', 'GET', '/a')?.mediaTypesOf(200)).toBeUndefined();
  });
});

test.each<[what: string, fields: object, message: RegExp]>([
  [
    'both an identifier and a URL of a license',
    { info: { ...INFO, license: { name: 'M', identifier: 'MIT', url: 'u' } } },
    /at #\/info\/license: it must not have all of identifier, url\./,
  ],
  [
    'a field of no meaning',
    { paths: { '/a': { get: { responses: {}, respones: {} } } } },
    /at #\/paths\/~1a\/get: it must not have the field respones\./,
  ],
  [
    'a parameter without a schema',
    { paths: { '/a': { get: { parameters: [{ name: 'a', in: 'query' }] } } } },
    /at #\/paths\/~1a\/get\/parameters\/0: it must have exactly one of schema, content\./,
  ],
])('%s is refused by its name', async (_, fields, message) => {
  await expect(read({ 'root.json': document({ paths: {}, ...fields }) })).rejects.toThrow(message);
});
