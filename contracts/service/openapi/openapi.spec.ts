import SwaggerParser from '@apidevtools/swagger-parser';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { builtInSource, loadContract } from '../load-contract.ts';
import type { ApiName } from '../../wire/exchange.ts';

const APIS: readonly ApiName[] = ['zap', 'trade', 'docs'];

test.each(APIS)('%s.yaml is valid OpenAPI 3.1', async (api) => {
  const document = await SwaggerParser.validate(builtInSource(api));
  expect(document).toMatchObject({ openapi: '3.1.1' });
});

test('every schema compiles', async () => {
  for (const operation of (await loadContract()).operations) {
    for (const status of [200, 400]) operation.faultsOf(status, {});
    operation.requestFaultsOf({});
  }
});

test('the tables of sections 1 and 4 are all there, and nothing else', async () => {
  const { operations } = await loadContract();
  expect(operations.map((o) => `${o.id} ${o.method} ${o.pathTemplate}`)).toEqual([
    'zap.quote POST /v1/quote',
    'zap.build-tx POST /v1/buildTx',
    'zap.pools GET /v1/pools',
    'zap.pool-details POST /v1/pool/details',
    'zap.chains GET /v1/config/chains',
    'zap.providers GET /v1/config/providers',
    'trade.build-tx POST /v1/buildTx',
    'trade.quotes POST /v1/quotes',
    'docs.openapi GET /openapi.yaml',
    'docs.openapi-mirror GET /api/openapi.yaml',
    'docs.llms GET /llms.txt',
    'docs.auth-md GET /auth.md',
    'docs.protected-resource GET /.well-known/oauth-protected-resource',
    'docs.authorization-server GET /.well-known/oauth-authorization-server',
    'docs.api-catalog GET /.well-known/api-catalog',
    'docs.register POST /.well-known/agent-auth/register',
    'docs.claim POST /.well-known/agent-auth/claim',
    'docs.revoke POST /.well-known/agent-auth/revoke',
  ]);
});

test('a body is stated where the document states one', async () => {
  const { operations } = await loadContract();
  const silent = (status: number): string[] =>
    operations.filter((o) => !o.statesBody(status)).map((o) => o.id);
  const documents = ['docs.openapi', 'docs.openapi-mirror', 'docs.llms', 'docs.auth-md'];
  expect(silent(200)).toEqual([
    'trade.quotes',
    ...documents,
    'docs.api-catalog',
    'docs.register',
    'docs.claim',
    'docs.revoke',
  ]);
  expect(silent(503)).toEqual([
    ...documents,
    'docs.protected-resource',
    'docs.authorization-server',
    'docs.api-catalog',
  ]);
  expect(silent(0)).toHaveLength(operations.length);
});

test.each(['common', ...APIS])('in %s.yaml every mark says what is unspecified', async (name) => {
  const document: unknown = parse(
    await readFile(builtInSource('zap').replace(/zap\.yaml$/, `${name}.yaml`), 'utf8'),
  );
  const marks = [...valuesOf(document, 'x-unspecified')];
  expect(marks.length).toBeGreaterThan(2);
  for (const mark of marks.flat()) {
    if (typeof mark === 'string') expect(mark).toMatch(/\w{3}/);
    else expect(mark).toHaveProperty('clause', expect.stringMatching(/^§\d.* \w{3}/));
  }
});

test('no schema closes an object or is stricter than the document on open lists', async () => {
  for (const name of ['common', ...APIS]) {
    const document: unknown = parse(
      await readFile(builtInSource('zap').replace(/zap\.yaml$/, `${name}.yaml`), 'utf8'),
    );
    expect([...valuesOf(document, 'additionalProperties')]).not.toContain(false);
    expect([...valuesOf(document, 'unevaluatedProperties')]).toEqual([]);
    const lists = [...valuesOf(document, 'enum')];
    expect(lists).toEqual(
      name === 'common'
        ? [
            ['ERC20', 'ERC721'],
            ['dex', 'bridge'],
          ]
        : [],
    );
  }
});

/** All values under a key, however deep. */
function* valuesOf(node: unknown, wanted: string): Generator {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (key === wanted) yield value;
    yield* valuesOf(value, wanted);
  }
}
