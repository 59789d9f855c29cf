import { expect, test } from 'vitest';
import { contractOfFiles, openapi } from '../document/contract-of.testkit.ts';
import { exchangeOf } from '../judging/exchange.testkit.ts';
import { judge } from '../judging/judge.ts';
import { REGISTRY } from '../service/registry.ts';

const BINARY = { type: 'string', format: 'binary' };
const FILE = { $ref: '#/components/schemas/File' };

async function brokenRules(version: string, content: object): Promise<string[]> {
  const responses = { 200: { description: '', content } };
  const paths = { '/x': { get: { operationId: 'x', responses } } };
  const document = openapi(version, paths, { schemas: { File: BINARY } });
  const contract = await contractOfFiles({ 'a.json': document });
  const texts = ['{"x":1}', 'octets', '"a"'];
  return texts.flatMap((text) => {
    const exchange = exchangeOf({ api: 'ai', path: '/x' });
    if (exchange.outcome.kind !== 'response') return ['no answer'];
    const response = { ...exchange.outcome.response, body: { encoding: 'utf8', text } as const };
    const outcome = { kind: 'response', response } as const;
    return judge(REGISTRY.ofRun(contract), contract, [{ ...exchange, outcome }]).flatMap(
      ({ rule, findings }) => (findings.length === 0 ? [] : [`${text} ${rule.id}`]),
    );
  });
}

test.each([
  ['3.0.3', 'any media type', { '*/*': { schema: BINARY } }],
  ['3.1.0', 'any media type', { '*/*': { schema: BINARY } }],
  ['3.1.0', 'a range of media types', { 'application/*': { schema: FILE } }],
  ['3.0.3', 'JSON', { 'application/json': { schema: BINARY } }],
  ['3.0.3', 'JSON, by reference', { 'application/json': { schema: FILE } }],
  ['3.0.3', 'JSON, or nothing', { 'application/json': { schema: { ...BINARY, nullable: true } } }],
])('nothing is judged of raw octets that OpenAPI %s states for %s', async (version, _, content) => {
  expect(await brokenRules(version, content)).toEqual([]);
});

test.each([
  ['a member', '3.0.3', { 'application/json': { schema: { properties: { x: BINARY } } } }],
  ['3.1, if it says nothing of JSON,', '3.1.0', { 'application/json': { schema: BINARY } }],
  [
    'another type',
    '3.0.3',
    { '*/*': { schema: BINARY }, 'application/json': { schema: { type: 'boolean' } } },
  ],
])('the format binary of %s makes no body one of octets', async (_, version, content) => {
  expect(await brokenRules(version, content)).toContain('{"x":1} ai.x.response-shape');
});
