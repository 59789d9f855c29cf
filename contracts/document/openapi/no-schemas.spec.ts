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
  const problem = `has a $ref at ${AT}/items that is ${kind}; a reference has to be a text.`;
  await expect(loading).rejects.toThrow(problem);
});

test('a member that is named $ref is none', async () => {
  const schema = { properties: { $ref: { type: 'integer' } } };
  const contract = await contractOf({
    '/x': { get: { operationId: 'x', responses: success(schema) } },
  });
  expect(contract.operation('ai.x')?.faultsOf(200, { $ref: 'a' }).listed).toHaveLength(1);
});

test.each<[schema: object, place: string, kind: string]>([
  [{ properties: { tag: null } }, '/properties/tag', 'null'],
  [{ properties: { tag: 'string' } }, '/properties/tag', 'a text'],
  [{ properties: { tag: [{}] } }, '/properties/tag', 'a list'],
  [{ oneOf: [{}, null] }, '/oneOf/1', 'null'],
  [{ allOf: ['x'] }, '/allOf/0', 'a text'],
  [{ items: [{}] }, '/items', 'a list'],
])('what stands for a schema in %j is refused by its place', async (schema, place, kind) => {
  const loading = contractOf({ '/x': { get: { responses: success(schema) } } });
  const problem = `has ${kind} at ${AT}${place}; a schema has to stand there.`;
  await expect(loading).rejects.toThrow(problem);
});

test('names that another member depends on are no schemas', async () => {
  const schema = { dependencies: { a: ['b'] } };
  const contract = await contractOf({
    '/x': { get: { operationId: 'x', responses: success(schema) } },
  });
  expect(contract.operation('ai.x')?.faultsOf(200, { a: 1 }).listed).toHaveLength(1);
});

const BROKEN = '#/components/schemas/Broken';

test.each<[broken: object, place: string, reason: RegExp]>([
  [{ type: 'nope' }, BROKEN, /type must be JSONType/],
  [{ properties: { tag: { type: 'nope' } } }, `${BROKEN}/properties/tag`, /type must be JSONType/],
  [
    { dependentRequired: { a: 'b' } },
    BROKEN,
    /its dependentRequired is of a form that this keyword does not have\.$/,
  ],
])(
  'a schema that does not compile is named, not what refers to it: %j',
  async (broken, place, reason) => {
    const schemas = { Outer: { $ref: BROKEN }, Broken: broken };
    for (const $ref of [BROKEN, '#/components/schemas/Outer']) {
      const loading = contractOf({ '/x': { get: { responses: success({ $ref }) } } }, { schemas });
      await expect(loading).rejects.toThrow(` has a schema at ${place} that does not compile: `);
      await expect(loading).rejects.toThrow(reason);
    }
  },
);
