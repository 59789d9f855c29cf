import { expect, test } from 'vitest';
import { contractOfFiles, openapi, success } from '../contract-of.testkit.ts';

const OPTIONAL = { name: 'id', in: 'path', schema: {} };
const PARAMETER = { ...OPTIONAL, required: true };

function loading(version: string, parameter: object): Promise<unknown> {
  const item = { get: { parameters: [parameter], responses: success({}) } };
  return contractOfFiles({ 'a.json': openapi(version, { '/a/{id}': item }) });
}

const AT = 'is not valid OpenAPI at #/paths/~1a~1{id}/get/parameters/0';

test.each([
  [
    'a path parameter without required',
    OPTIONAL,
    `${AT}: it must have required property 'required'.`,
  ],
  [
    'one that is not required',
    { ...PARAMETER, required: false },
    `${AT}/required: it must be equal to`,
  ],
  ['one of another style', { ...PARAMETER, style: 'form' }, `${AT}/style: it must be equal to`],
  ['one in a body', { ...PARAMETER, in: 'body' }, `${AT}/in: it must be equal to`],
  [
    'one without a name',
    { in: 'query', schema: {} },
    `${AT}: it must have required property 'name'.`,
  ],
])('OpenAPI 3.0 names the mistake of a parameter: %s', async (_, parameter, problem) => {
  await expect(loading('3.0.3', parameter)).rejects.toThrow(problem);
});

test.each(['path', 'query', 'header', 'cookie'])(
  'a parameter in %s is valid OpenAPI 3.0',
  async (place) => {
    await expect(loading('3.0.3', { ...PARAMETER, in: place })).resolves.toBeDefined();
  },
);

test('OpenAPI 3.0 says of a text in place of a parameter what it is', async () => {
  const item = { get: { parameters: ['a'], responses: success({}) } };
  const document = openapi('3.0.3', { '/a': item });
  const problem = '/get/parameters/0: it must be object.';
  await expect(contractOfFiles({ 'a.json': document })).rejects.toThrow(problem);
});

test('OpenAPI 3.1 names the mistake of a parameter without a name', async () => {
  const problem = `${AT}: it must have required property 'name'.`;
  await expect(loading('3.1.0', { in: 'query', schema: {} })).rejects.toThrow(problem);
});

test.each<[what: string, scheme: object, problem: string]>([
  ['http without a scheme', { type: 'http' }, "k: it must have required property 'scheme'."],
  [
    'a key without a name',
    { type: 'apiKey', in: 'header' },
    "it must have required property 'name'",
  ],
  ['a key in no place', { type: 'apiKey', name: 'a', in: 'headr' }, 'k/in: it must be equal to'],
  [
    'a format of tokens for none',
    { type: 'http', scheme: 'basic', bearerFormat: 'a' },
    'k/bearerFormat: it must not be there.',
  ],
  ['a type that is none', { type: 'htpp' }, 'k/type: it must be equal to one of'],
  ['none', {}, "k: it must have required property 'type'."],
])('OpenAPI 3.0 names the mistake of a security scheme: %s', async (_, scheme, problem) => {
  const document = openapi('3.0.3', {}, { securitySchemes: { k: scheme } });
  await expect(contractOfFiles({ 'a.json': document })).rejects.toThrow(problem);
});

test.each([
  { type: 'http', scheme: 'basic' },
  { type: 'http', scheme: 'Bearer', bearerFormat: 'JWT' },
  { type: 'apiKey', name: 'a', in: 'cookie' },
  { type: 'oauth2', flows: {} },
  { type: 'openIdConnect', openIdConnectUrl: 'https://x.invalid/a' },
])('%o is a security scheme of OpenAPI 3.0', async (scheme) => {
  const document = openapi('3.0.3', {}, { securitySchemes: { k: scheme } });
  await expect(contractOfFiles({ 'a.json': document })).resolves.toBeDefined();
});
