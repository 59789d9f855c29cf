/** Long because contracts and texts are tried as one host publishes them. */

import { expect, test } from 'vitest';
import { cpuClock } from '../../../cpu-clock.testkit.ts';
import { judge } from '../../../judging/judge.ts';
import { loadContract } from '../../load-contract.ts';
import type { Exchange } from '../../../wire/exchange.ts';
import { publishedContractRules } from './published-contract.ts';

const contract = await loadContract();

const PATHS = `
  /v1/quote: { post: { responses: { default: { description: a } } } }
  /v1/buildTx: { post: { responses: { default: { description: a } } } }
  /v1/pools:
    get:
      parameters: [{ name: limit, in: query, schema: { type: integer, maximum: 200 } }]
      responses: { '200': { description: a, content: { application/json: { schema: { $ref: '#/components/schemas/Pool' } } } } }
  /v1/pool/details: { post: { responses: { default: { description: a } } } }
  /v1/config/chains: { get: { responses: { default: { description: a } } } }
  /v1/config/providers: { get: { responses: { default: { description: a } } } }
  /v1/quotes: { post: { responses: { default: { description: a } } } }
components:
  schemas:
    Pool: { type: object, properties: { next: { $ref: '#/components/schemas/Pool' } } }
`;
const GOOD = `openapi: 3.1.0\ninfo: { title: a, version: '1' }\npaths:${PATHS}`;

function published(path: string, text: string): Exchange {
  return {
    id: path,
    api: 'docs',
    purpose: { kind: 'valid' },
    relations: [],
    request: { method: 'GET', url: `http://127.0.0.1${path}`, path, headers: [], body: null },
    outcome: {
      kind: 'response',
      response: { status: 200, headers: [], body: { encoding: 'utf8', text } },
    },
    sentAtMs: 0,
    latencyMs: 1,
  };
}

/** The verdicts on a contract and its mirror, and the first finding of each broken rule. */
function verdicts(text: string, mirror = text): Record<string, string> {
  const exchanges = [published('/openapi.yaml', text), published('/api/openapi.yaml', mirror)];
  return Object.fromEntries(
    judge(publishedContractRules, contract, exchanges).map(
      ({ rule, verdict, findings: [first] }) => [
        rule.id,
        first === undefined ? verdict : `${first.pointer}: ${first.actual}`,
      ],
    ),
  );
}

const ALL_PASS = {
  'docs.openapi.valid': 'pass',
  'docs.openapi.covers-endpoints': 'pass',
  'docs.openapi-mirror.agrees': 'pass',
};

test('a contract and the same as its mirror', () => {
  expect(verdicts(GOOD)).toMatchObject(ALL_PASS);
});

test.each([
  ['in version 3.0', GOOD.replace('3.1.0', '3.0.3')],
  ['as JSON', '{"openapi":"3.1.0","info":{"title":"a","version":"1"},"paths":{}}'],
  ['as OpenAPI 2.0', "swagger: '2.0'\ninfo: { title: a, version: '1' }\npaths: {}"],
  ['with an example that looks like a reference', `${GOOD}\nx-a: { example: { $ref: '#/no' } }`],
])('valid: %s', (_, text) => {
  expect(verdicts(text)['docs.openapi.valid']).toBe('pass');
});

test.each([
  ['no YAML', 'a: [', /^: /],
  ['a scalar', 'text', /^: "text"/],
  ['a circle', 'a: &a [*a]', /circular/],
  ['a version as number', GOOD.replace('3.1.0', '3.1'), /^\/openapi: 3\.1/],
  ['no title', GOOD.replace('title: a', 'name: a'), /^\/info\/title: nothing/],
  ['a path without slash', GOOD.replace('  /v1/quote:', '  v1/quote:'), /^\/paths\/v1~1quote/],
  ['a status that is none', GOOD.replace("'200'", 'ok'), /responses\/ok/],
  ['a dangling reference', GOOD.replace('    Pool: {', '    Pol: {'), /\$ref: "#\/components/],
  [
    'no responses in 3.0',
    GOOD.replace('3.1.0', '3.0.3').replace('{ post: { responses:', '{ post: { x-responses:'),
    /post\/responses: nothing/,
  ],
])('not valid: %s', (_, text, found) => {
  expect(verdicts(text)['docs.openapi.valid']).toMatch(found);
});

test.each([
  ['below a prefix', GOOD.replaceAll('  /v1/', '  /any/v1/')],
  [
    'below the path of a server',
    GOOD.replaceAll('  /v1/', '  /').replace(
      'paths:',
      "servers: [{ url: 'http://127.0.0.1/v1' }]\npaths:",
    ),
  ],
  [
    'in another file',
    GOOD.replace(
      '{ post: { responses: { default: { description: a } } } }',
      '{ $ref: quote.yaml }',
    ),
  ],
])('endpoints are covered %s', (_, text) => {
  expect(verdicts(text)['docs.openapi.covers-endpoints']).toBe('pass');
});

test.each([
  ['another method', GOOD.replace('/v1/quotes: { post', '/v1/quotes: { get')],
  ['a server without the rest', GOOD.replace('  /v1/quotes', '  /quotes')],
])('endpoints are not covered: %s', (_, text) => {
  expect(verdicts(text)['docs.openapi.covers-endpoints']).toMatch(/no such operation/);
});

test.each([
  [
    'other words, servers and order',
    `paths:${PATHS.replaceAll('description: a', 'description: b')}\nservers: []\ninfo: { version: '2', title: b }\nopenapi: 3.1.1`,
  ],
  [
    'the trade API alone',
    GOOD.replace(/ {2}\/v1\/quote:[^]*?(?= {2}\/v1\/buildTx)/, '').replace(
      / {2}\/v1\/pool[^]*?(?= {2}\/v1\/quotes)/,
      '',
    ),
  ],
  [
    'schemas in place',
    GOOD.replace(
      "{ $ref: '#/components/schemas/Pool' } } } } }",
      "{ type: object, properties: { next: { $ref: '#/components/schemas/Pool' } } } } } } }",
    ),
  ],
  ['another version of OpenAPI', GOOD.replace('3.1.0', '3.0.3').replace('200 }', '100 }')],
])('the mirror agrees with %s', (_, mirror) => {
  expect(verdicts(GOOD, mirror)).toMatchObject(ALL_PASS);
});

test.each([
  ['another limit', GOOD.replace('200 }', '100 }'), /maximum: 100, not 200/],
  [
    'another limit, in another patch version of OpenAPI',
    GOOD.replace('3.1.0', '3.1.1').replace('200 }', '100 }'),
    /maximum: 100, not 200/,
  ],
  [
    'another schema behind a reference',
    GOOD.replace('Pool: { type: object', 'Pool: { type: array'),
    /type: "array", not "object"/,
  ],
  [
    'no API as a whole',
    GOOD.replace('/v1/pools', '/v1/pool').replace('/v1/quotes', '/v1/q'),
    /no get \/v1\/pools/,
  ],
])('the mirror does not agree: %s', (_, mirror, found) => {
  expect(verdicts(GOOD, mirror)['docs.openapi-mirror.agrees']).toMatch(found);
});

test('nothing is said of a mirror that is not valid, or not there', () => {
  expect(verdicts(GOOD, 'a: [')['docs.openapi-mirror.agrees']).toBe('not-reached');
  const [only] = judge(publishedContractRules, contract, [published('/openapi.yaml', GOOD)]).filter(
    ({ rule }) => rule.id === 'docs.openapi-mirror.agrees',
  );
  expect(only?.verdict).toBe('not-reached');
});

test.each([
  ['/llms.txt', 'docs.llms.has-links', '# Index\n- [a](/a.md)', 'pass'],
  ['/llms.txt', 'docs.llms.has-links', 'see https://docs.example/a', 'pass'],
  ['/llms.txt', 'docs.llms.has-links', '[a]() [b](c d) [e](f](g)', 'pass'],
  ['/llms.txt', 'docs.llms.has-links', '[a]() [b](c d) [e](f](g', ': [a]() [b](c d) [e](f](g'],
  ['/llms.txt', 'docs.llms.has-links', '# Index', ': # Index'],
  ['/llms.txt', 'docs.llms.is-text', '# Index', 'pass'],
  ['/llms.txt', 'docs.llms.is-text', '<p align="center"></p>\n# Index', 'pass'],
  ['/llms.txt', 'docs.llms.is-text', '<!DOCTYPE html><a href="https://docs.example">', /DOCTYPE/],
  ['/llms.txt', 'docs.llms.is-text', ' ', ': nothing'],
  ['/auth.md', 'docs.auth-md.describes-auth', 'Ask us for a key.', 'pass'],
  ['/auth.md', 'docs.auth-md.describes-auth', '请联系我们获取 API Key', 'pass'],
  ['/auth.md', 'docs.auth-md.describes-auth', '# Pools and tokens', ': # Pools and tokens'],
  ['/auth.md', 'docs.auth-md.describes-auth', '\n', ': nothing'],
  ['/auth.md', 'docs.auth-md.is-text', '<div align="center"></div>\n# Auth', 'pass'],
  ['/auth.md', 'docs.auth-md.is-text', '\n', ': nothing'],
  ['/auth.md', 'docs.auth-md.is-text', '<!-- a -->\n<HTML lang="en">', /HTML/],
])('%s for %s: %s', (path, rule, text, expected) => {
  const [result] = judge(
    publishedContractRules.filter(({ id }) => id === rule),
    contract,
    [published(path, text)],
  );
  const [first] = result?.findings ?? [];
  const said = first === undefined ? result?.verdict : `${first.pointer}: ${first.actual}`;
  if (typeof expected === 'string') expect(said).toBe(expected);
  else expect(said).toMatch(expected);
});

test.each([
  ['keys', `${GOOD}\nx-more:\n${many(200_000, (at) => `  k${at}: 1`)}`],
  ['levels', `${GOOD}\nx-more: ${'['.repeat(100_000)}`],
  ['merge keys', `${GOOD}\nx-a: &a {}\nx-more:\n${many(60_000, () => '  - <<: *a')}`],
])('of a contract with too many %s nothing is known, and it costs little', (_, text) => {
  expect(verdicts(text)).toEqual({
    ...Object.fromEntries(publishedContractRules.map(({ id }) => [id, 'not-reached'])),
  });
});

test('mirrors that are too much to compare are not judged', () => {
  const chain = (length: number): string =>
    many(
      length,
      (at) =>
        `    A${at}: { properties: { n: { $ref: '#/components/schemas/A${(at + 1) % length}' } } }`,
    );
  const withChain = (length: number): string =>
    `${GOOD.replace('schemas/Pool', 'schemas/A0')}${chain(length)}\n`;
  const all = verdicts(withChain(1_500), withChain(1_501));
  expect(all['docs.openapi.valid']).toBe('pass');
  expect(all['docs.openapi-mirror.agrees']).toBe('not-reached');
});

test('looking for a link costs little in a text of beginnings of links', () => {
  const cpuMs = cpuClock();
  expect(linkVerdict('](a'.repeat(300_000))).toBe('fails');
  expect(linkVerdict('](a '.repeat(300_000))).toBe('fails');
  expect(linkVerdict(`${'](]()'.repeat(100_000)}](a)`)).toBe('pass');
  // Trying each beginning to the end would take minutes.
  expect(cpuMs()).toBeLessThan(10_000);
});

function linkVerdict(text: string): string | undefined {
  const rules = publishedContractRules.filter(({ id }) => id === 'docs.llms.has-links');
  const [result] = judge(rules, contract, [published('/llms.txt', text)]);
  return result?.findings.length === 0 ? result.verdict : 'fails';
}

function many(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => line(index)).join('\n');
}

test.each([
  ['the same', '1', GOOD, 'pass'],
  ['another', '2', GOOD, '/info/version: 2'],
  ['none of the document', '2', 'a: [', 'not-reached'],
])('the version of a mirror: %s', (_, version, contractText, expected) => {
  const mirror = GOOD.replace("version: '1'", `version: '${version}'`);
  expect(verdicts(contractText, mirror)['docs.openapi-mirror.same-version']).toBe(expected);
});

test('a mirror has none or all of what the zap API alone has', () => {
  const without = (...names: readonly string[]): string =>
    names.reduce(
      (text, name) =>
        text
          .replace(`/v1/${name}: {`, `/v0/${name}: {`)
          .replace(`/v1/${name}:\n`, `/v0/${name}:\n`),
      GOOD,
    );
  const said = (mirror: string): string | undefined =>
    verdicts(GOOD, mirror)['docs.openapi-mirror.agrees'];
  const others = ['pools', 'pool/details', 'config/chains', 'config/providers'];
  expect(said(without('quotes'))).toBe('pass');
  expect(said(without('quote', ...others))).toBe('pass');
  expect(said(without('pool/details'))).toBe('/paths: some of them, but no post /v1/pool/details');
  expect(said(without('quotes', 'pools'))).toMatch(
    /^\/paths: no get \/v1\/pools, post \/v1\/quotes/,
  );
});
