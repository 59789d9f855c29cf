import { expect, test } from 'vitest';
import { contractOfFiles, openapi, success } from '../contract-of.testkit.ts';

const stated = (schema: object): object =>
  JSON.parse(`{"__proto__":${JSON.stringify(schema)}}`) as object;
const I = { type: 'integer' };
const [NUMBER, TEXT] = ['{"__proto__":1}', '{"__proto__":"a"}'].map(
  (one) => JSON.parse(one) as unknown,
);

test.each([
  ['beside no others', { properties: stated(I), additionalProperties: false }],
  ['in a part', { allOf: [{ properties: stated(I) }] }],
  ['that is required', { properties: stated(I), required: ['__proto__'] }],
  ['that refers', { properties: stated({ $ref: '#/components/schemas/I' }) }],
  ['in what may be null', { nullable: true, allOf: [{ properties: stated(I) }] }],
])('a member __proto__ is judged as any other: %s', async (_, schema) => {
  for (const version of ['3.0.3', '3.1.0']) {
    const paths = {
      '/x': { get: { operationId: 'x', responses: success({ $ref: '#/components/schemas/X' }) } },
    };
    const document = openapi(version, paths, { schemas: { X: schema, I } });
    const operation = (await contractOfFiles({ 'a.json': document })).operation('ai.x');
    expect(operation?.faultsOf(200, NUMBER).listed).toEqual([]);
    expect(operation?.faultsOf(200, TEXT).listed.map(({ pointer }) => pointer)).toEqual([
      '/__proto__',
    ]);
  }
});

test('a member __proto__ that is stated counts as evaluated', async () => {
  const schema = { properties: stated({ type: 'integer' }), unevaluatedProperties: false };
  const paths = { '/x': { get: { operationId: 'x', responses: success(schema) } } };
  const operation = (await contractOfFiles({ 'a.json': openapi('3.1.0', paths) })).operation(
    'ai.x',
  );
  expect(operation?.faultsOf(200, NUMBER).listed).toEqual([]);
  expect(operation?.faultsOf(200, { other: 1 }).listed).toHaveLength(1);
});
