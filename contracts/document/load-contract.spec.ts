import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ContractError } from './contract-error.ts';
import { builtInSource, loadContract } from '../service/load-contract.ts';
import type { Contract } from './schema.ts';

let folder = '';
beforeAll(async () => {
  // A space in the path, which URLs write otherwise.
  folder = await mkdtemp(path.join(tmpdir(), 'assay contract '));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** Writes files and loads the contract with the first of them over the zap API. */
async function overriddenBy(...texts: [name: string, text: string][]): Promise<Contract> {
  for (const [name, text] of texts) await writeFile(path.join(folder, name), text);
  const source = path.join(folder, texts[0]?.[0] ?? '');
  return loadContract({ overrides: [{ api: 'zap', source }] });
}

function openapi(paths: string, version = '3.1.0'): string {
  return `openapi: ${version}\ninfo: { title: t, version: '1' }\n${paths}`;
}

function get(schema: string): string {
  const content = `{ application/json: { schema: ${schema} } }`;
  return `{ get: { responses: { '200': { description: d, content: ${content} } } } }`;
}

test('find matches API, method and path, and leaves the query out', async () => {
  const contract = await loadContract();
  expect(contract.find('zap', 'POST', '/v1/buildTx')?.id).toBe('zap.build-tx');
  expect(contract.find('trade', 'post', '/v1/buildTx')?.id).toBe('trade.build-tx');
  expect(contract.find('zap', 'GET', '/v1/pools?limit=5')?.id).toBe('zap.pools');
  expect(contract.find('zap', 'GET', '/v1/pools/')).toBeUndefined();
  expect(contract.find('zap', 'GET', '/v1/quote')).toBeUndefined();
  expect(contract.find('ai', 'GET', '/v1/pools')).toBeUndefined();
  expect(contract.operation('docs.llms')?.pathTemplate).toBe('/llms.txt');
  expect(contract.operation('docs.nothing')).toBeUndefined();
});

test('the digest repeats, and changes with the files that are loaded', async () => {
  const [first, second] = await Promise.all([loadContract(), loadContract()]);
  expect(first.sha256).toMatch(/^[0-9a-f]{64}$/);
  expect(second.sha256).toBe(first.sha256);
  const one = await overriddenBy(['a.yaml', openapi(`paths: { /x: ${get('{}')} }`)]);
  const moved = await overriddenBy(['b.yaml', openapi(`paths: { /x: ${get('{}')} }`)]);
  const other = await overriddenBy(['b.yaml', openapi(`paths: { /y: ${get('{}')} }`)]);
  expect(one.sha256).not.toBe(first.sha256);
  expect(moved.sha256).toBe(one.sha256);
  expect(other.sha256).not.toBe(one.sha256);
});

test('an override replaces an operation under its id and keeps what it is silent about', async () => {
  const text = openapi(`paths: { /v1/pools: ${get('{ type: array }')} }`);
  const contract = await overriddenBy(['o.yaml', text]);
  const pools = contract.find('zap', 'GET', '/v1/pools');
  expect(pools?.id).toBe('zap.pools');
  expect(pools?.faultsOf(200, []).listed).toEqual([]);
  expect(pools?.faultsOf(200, {}).listed).toEqual([
    { pointer: '', expected: 'an array', times: 1 },
  ]);
  expect(pools?.faultsOf(500, {}).listed).toHaveLength(4);
  expect(contract.operations).toHaveLength(18);
});

test('an override whose server holds a part of the path replaces the same operation', async () => {
  const text = openapi(`servers: [{ url: /v1/ }]\npaths: { /pools: ${get('{ type: array }')} }`);
  const pools = (await overriddenBy(['s.yaml', text])).find('zap', 'GET', '/v1/pools');
  expect(pools?.faultsOf(200, {}).listed).toHaveLength(1);
});

test('other operations of an override are added, and their templates match', async () => {
  const item = get('{ type: object }').replace('{ get: {', '{ get: { operationId: quote,');
  const text = openapi(`paths: { '/v2/{a}/x.y': ${item}, '/v2/z': ${get('{}')} }`);
  const contract = await overriddenBy(['o.yaml', text]);
  expect(contract.find('zap', 'GET', '/v2/z')?.id).toBe('zap.get-v2-z');
  const added = contract.find('zap', 'GET', '/v2/abc/x.y?q=1');
  // The document's own operation keeps the name `zap.quote`.
  expect(added?.id).toBe('zap.get-v2-{a}-x.y');
  expect(contract.operation('zap.quote')?.method).toBe('POST');
  expect(contract.find('zap', 'GET', '/v2/abc/xzy')).toBeUndefined();
  expect(contract.find('zap', 'GET', '/v2/a/b/x.y')).toBeUndefined();
});

test('OpenAPI 3.0 with nullable, boolean bounds and circular references across files', async () => {
  const node = `
components:
  schemas:
    Node:
      type: object
      required: [next, size]
      properties:
        next: { nullable: true, allOf: [{ $ref: '#/components/schemas/Node' }] }
        size: { type: integer, minimum: 0, exclusiveMinimum: true }
        kind: { type: string, nullable: true, enum: [a] }`;
  const contract = await overriddenBy(
    [
      'root.yaml',
      openapi(
        `paths: { /v1/node: ${get("{ $ref: 'node.yaml#/components/schemas/Node' }")} }`,
        '3.0.3',
      ),
    ],
    ['node.yaml', openapi(`paths: {}${node}`, '3.0.3')],
  );
  const operation = contract.find('zap', 'GET', '/v1/node');
  const inner = { next: null, size: 1, kind: null };
  expect(operation?.faultsOf(200, { next: inner, size: 2, kind: 'a' }).listed).toEqual([]);
  expect(operation?.faultsOf(200, { next: { ...inner, size: 0 }, size: 2 }).listed).not.toEqual([]);
  expect(operation?.faultsOf(200, { ...inner, size: 0, kind: 'b' }).listed).toEqual([
    { pointer: '/size', expected: 'a number > 0', times: 1 },
    { pointer: '/kind', expected: 'one of a, null', times: 1 },
  ]);
});

test('an override may come from a URL on this machine', async () => {
  const text = openapi(`paths: { /v1/pools: ${get('{ type: array }')} }`);
  const server = createServer((_, response) => response.end(text));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const source = `http://127.0.0.1:${(server.address() as AddressInfo).port}/openapi.yaml`;
  try {
    const contract = await loadContract({ overrides: [{ api: 'zap', source }] });
    expect(contract.operation('zap.pools')?.faultsOf(200, {}).listed).toHaveLength(1);
  } finally {
    server.close();
  }
});

test('the built-in files may be given as overrides of themselves', async () => {
  const overrides = [{ api: 'zap' as const, source: builtInSource('zap') }];
  const { operations } = await loadContract({ overrides });
  expect(operations).toHaveLength(18);
});

const BROKEN: [what: string, text: string, message: RegExp][] = [
  ['not YAML', 'openapi: [3.1.0\ninfo', /x\.yaml is not YAML or JSON at line 2, column \d+: /],
  ['empty', '', /x\.yaml is not OpenAPI: it has no `openapi`/],
  ['a list', '- 1', /x\.yaml is not OpenAPI: it has no `openapi`/],
  ['Swagger 2', "swagger: '2.0'\npaths: {}", /x\.yaml is Swagger 2\.0; give OpenAPI/],
  ['a later version', 'openapi: 4.0.0\npaths: {}', /x\.yaml is OpenAPI "4\.0\.0"; give/],
  [
    'a version that is a number',
    'openapi: 3.1\npaths: {}',
    /x\.yaml has openapi: 3\.1, which is a number; it is a text such as "3\.1\.0"/,
  ],
  [
    'a name that components may not have',
    openapi('paths: {}\ncomponents: { schemas: { "a b": {} } }'),
    /at #\/components\/schemas: it must not have the name a b: it must match pattern/,
  ],
  [
    'a text in the place of a schema of 3.0',
    openapi('paths: {}\ncomponents: { schemas: { A: { items: text } } }').replace('3.1.0', '3.0.3'),
    /at #\/components\/schemas\/A\/items: it must be object/,
  ],
  [
    'without paths',
    openapi(''),
    /x\.yaml is not valid OpenAPI at #: it must have required property 'paths'/,
  ],
  [
    'no description',
    openapi('paths: { /x: { get: { responses: { "200": {} } } } }'),
    /at #\/paths\/~1x\/get\/responses\/200: it .*description/,
  ],
  [
    'a schema that does not compile',
    openapi(`paths: { /x: ${get("{ pattern: '(' }")} }`),
    /x\.yaml has a schema at #.*schema that does not compile: .*regular/,
  ],
  [
    'a schema that does not compile, far within another',
    openapi(
      `paths: { /x: ${get('{ properties: { a: { items: { properties: { b: { type: no } } } } } }')} }`,
    ),
    /^The contract \/.*x\.yaml has a schema at #.*schema\/properties\/a\/items\/properties\/b that/,
  ],
  [
    'a reference to nowhere',
    openapi(`paths: { /x: ${get("{ $ref: '#/components/schemas/No' }")} }`),
    /x\.yaml refers to #\/components\/schemas\/No at #\/paths\/.*schema, which leads nowhere/,
  ],
  [
    'a reference to no file',
    openapi(`paths: { /x: ${get("{ $ref: 'no.yaml' }")} }`),
    /x\.yaml refers to no\.yaml at #.*, which cannot be read: there is no such file/,
  ],
];

test.each(BROKEN)('a file that is %s is a ContractError that says so', async (_, text, message) => {
  const error: unknown = await overriddenBy(['x.yaml', text]).catch((e: unknown) => e);
  expect(error).toBeInstanceOf(ContractError);
  expect((error as ContractError).message).toMatch(message);
  expect((error as ContractError).message).not.toContain('\n');
});

test('a missing file is a ContractError that names it', async () => {
  const overrides = [{ api: 'zap' as const, source: '/nowhere/openapi.yaml' }];
  const error: unknown = await loadContract({ overrides }).catch((e: unknown) => e);
  expect(error).toBeInstanceOf(ContractError);
  expect((error as ContractError).message).toMatch(/^The contract \/nowhere\/openapi\.yaml cannot/);
});
