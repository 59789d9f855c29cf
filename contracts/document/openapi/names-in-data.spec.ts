import { expect, test } from 'vitest';
import { contractOfFiles, openapi } from '../contract-of.testkit.ts';
import type { ContractOperation } from '../schema.ts';
import { REF, root, takes } from './references.testkit.ts';

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

test.each(['3.0.3', '3.1.0'])(
  'what is named like a keyword at the top of a file is none, as long as nobody refers to all of it (%s)',
  async (version) => {
    const parameter = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
    const responses = { 200: { $ref: 'responses.json#/enum' } };
    const paths = {
      '/x/{id}': {
        parameters: [{ $ref: 'parameters.json#/id' }, { $ref: 'limit.json' }],
        get: { operationId: 'x', responses },
      },
    };
    const named = ['id', 'type', 'format', 'enum', 'pattern', 'required', 'maximum', 'allOf'];
    const contract = await contractOfFiles({
      'a.json': openapi(version, paths),
      'parameters.json': Object.fromEntries(named.map((name) => [name, parameter])),
      'limit.json': { name: 'limit', in: 'query', required: true, schema: { type: 'integer' } },
      'responses.json': {
        enum: {
          description: '',
          content: { 'application/json': { schema: REF('schemas.json#/type') } },
        },
      },
      'schemas.json': { type: { type: 'integer' }, id: REF('whole.json') },
      'whole.json': { type: 'string' },
    });
    const operation = contract.operation('ai.x');
    expect(operation?.faultsOf(200, 1).listed).toEqual([]);
    expect(operation?.faultsOf(200, 'a').listed).toHaveLength(1);
    expect(operation?.inputs.parameters.map(({ schema }) => schema?.accepts(1))).toEqual([
      true,
      true,
    ]);
    expect(operation?.inputs.parameters.map(({ schema }) => schema?.accepts('a'))).toEqual([
      false,
      false,
    ]);
  },
);

test('a file that is referred to as a whole, and in part, is a schema, and so is the part', async () => {
  const contract = await contractOfFiles({
    'a.json': root({ anyOf: [REF('both.json'), REF('both.json#/properties/type')] }),
    'both.json': { type: 'object', required: ['type'], properties: { type: { type: 'integer' } } },
  });
  expect(takes(contract, { type: 1 })).toBe(true);
  expect(takes(contract, 1)).toBe(true);
  expect(takes(contract, {})).toBe(false);
  expect(takes(contract, 'a')).toBe(false);
});
