import { expect, test } from 'vitest';
import { contractOf, contractOfFiles, openapi, success } from '../contract-of.testkit.ts';

const AT = '#/paths/~1x/get/responses/200/content/application~1json/schema';
const F = { allOf: [{ type: 'integer' }], maximum: 3, nothing: null };

test.each([
  ['#/info/title', 'a text'],
  ['#/components/schemas/F/allOf', 'a list'],
  ['#/components/schemas/F/maximum', '3'],
])('a reference of a schema to %s is refused by its name', async (ref, kind) => {
  const problem = `refers to ${ref} at ${AT}, which is no schema but ${kind}.`;
  for (const version of ['3.0.3', '3.1.0']) {
    const paths = { '/x': { get: { responses: success({ $ref: ref }) } } };
    const files = { 'a.json': openapi(version, paths, { schemas: { F } }) };
    await expect(contractOfFiles(files)).rejects.toThrow(problem);
  }
});

test.each([
  [5, '5'],
  [null, 'null'],
  [['#/x'], 'a list'],
])('a $ref of a schema that is %o is refused by its place', async ($ref, kind) => {
  const loading = contractOf({ '/x': { get: { responses: success({ items: { $ref } }) } } });
  const problem = `has a $ref at ${AT}/items that is ${kind}, where a reference is a text.`;
  await expect(loading).rejects.toThrow(problem);
});

test('a member that is named $ref is none', async () => {
  const schema = { properties: { $ref: { type: 'integer' } } };
  const contract = await contractOf({
    '/x': { get: { operationId: 'x', responses: success(schema) } },
  });
  expect(contract.operation('ai.x')?.faultsOf(200, { $ref: 'a' }).listed).toHaveLength(1);
});
