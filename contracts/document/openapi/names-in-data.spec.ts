import { expect, test } from 'vitest';
import { contractOfFiles, openapi } from '../contract-of.testkit.ts';
import type { ContractOperation } from '../schema.ts';

/** What would be no name, or the same name twice, if it stood in a schema. */
const NAMES = [
  { $anchor: '#foo' },
  { $dynamicAnchor: '1abc' },
  { $anchor: 'bad anchor', $id: 'http://x y' },
  { $anchor: 'same', type: 'string' },
  { $anchor: 'same', type: 'integer' },
];

async function loaded(
  version: string,
  schema: object,
  media: object = {},
): Promise<ContractOperation> {
  const content = { 'application/json': { schema, ...media } };
  const responses = { 200: { description: '', content } };
  const document = openapi(version, { '/x': { get: { operationId: 'x', responses } } });
  const contract = await contractOfFiles({ 'a.json': { ...document, 'x-e': NAMES } });
  const operation = contract.operation('ai.x');
  if (operation === undefined) throw new Error('no operation');
  return operation;
}

test.each([
  ['an example of a schema', { example: NAMES }, {}],
  ['a default', { default: NAMES }, {}],
  ['an extension of a schema', { 'x-e': NAMES }, {}],
  ['an example of a media type', {}, { example: { schema: NAMES[0], more: NAMES } }],
  ['examples of a media type', {}, { examples: { one: { value: NAMES } } }],
])('what reads as a name of a schema in %s is data', async (_, schema, media) => {
  for (const version of ['3.0.3', '3.1.0']) {
    const operation = await loaded(version, { type: 'object', ...schema }, media);
    expect(operation.faultsOf(200, {}).listed).toEqual([]);
    expect(operation.faultsOf(200, 1).listed).toHaveLength(1);
  }
});

test.each(NAMES)('a value that an enum or const lists keeps its members: %o', async (value) => {
  for (const schema of [{ const: value }, { enum: [value] }, { items: { enum: [[value]] } }]) {
    const operation = await loaded('3.1.0', schema);
    const isList = 'items' in schema;
    const [good, bad] = [value, {}].map((one) => (isList ? [[one]] : one));
    expect(operation.faultsOf(200, good).listed).toEqual([]);
    expect(operation.faultsOf(200, bad).listed).toHaveLength(1);
  }
});
