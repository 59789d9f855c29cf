import { expect, test } from 'vitest';
import { contractOf } from '../document/contract-of.testkit.ts';
import type { Contract } from '../document/schema.ts';
import { exchangeOf } from '../judging/exchange.testkit.ts';
import { judge } from '../judging/judge.ts';
import { REGISTRY } from '../service/registry.ts';
import type { Exchange, HeaderList } from '../wire/exchange.ts';

const integer = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };
const text = { type: 'object', required: ['n'], properties: { n: { type: 'string' } } };
const content = (types: Readonly<Record<string, object>>): object => ({
  description: 'as stated',
  content: Object.fromEntries(Object.entries(types).map(([type, schema]) => [type, { schema }])),
});
const get = (operationId: string, responses: object): object => ({
  get: { operationId, responses },
});

const contract: Contract = await contractOf({
  '/kinds': get('kinds', {
    200: content({
      'application/json': integer,
      'application/vnd.x+json': text,
      'text/plain': { type: 'string' },
    }),
  }),
  '/ranges': get('ranges', {
    200: content({ '*/*': integer, 'application/*': text, 'application/json': integer }),
  }),
  '/plain': get('plain', { 200: content({ 'application/json; charset=utf-8': integer }) }),
  '/image': get('image', { 200: content({ 'image/png': {} }) }),
  '/odd': get('odd', { 200: content({ 'application/json, text/plain': integer, json: integer }) }),
  '/errors': get('errors', {
    200: content({ 'application/json': integer }),
    404: content({ 'application/json': text }),
    409: content({ 'application/problem+json': text }),
    default: content({ 'application/json': text }),
  }),
});

/** An answer to GET; without a Content-Type if that is null. */
function answer(path: string, type: string | null, body: string, status = 200): Exchange {
  const exchange = exchangeOf({ api: 'ai', path, status });
  const headers: HeaderList = type === null ? [] : [['Content-Type', type]];
  const response = { status, headers, body: { encoding: 'utf8', text: body } as const };
  return { ...exchange, outcome: { kind: 'response', response } };
}

function brokenBy(exchange: Exchange): string[] {
  return judge(REGISTRY.ofContract(contract), contract, [exchange])
    .filter(({ findings }) => findings.length > 0)
    .map(({ rule }) => rule.id.slice('ai.'.length));
}

const NUMBER = '{"n":1}';
const TEXT = '{"n":"1"}';

test.each<[path: string, type: string | null, body: string, broken: readonly string[]]>([
  ['/kinds', 'application/json', NUMBER, []],
  ['/kinds', 'application/json; charset=utf-8', NUMBER, []],
  ['/kinds', 'application/json', TEXT, ['kinds.response-shape']],
  ['/kinds', 'application/vnd.x+json', TEXT, []],
  ['/kinds', 'APPLICATION/VND.X+JSON;v=1', NUMBER, ['kinds.response-shape']],
  ['/kinds', 'application/vnd.y+json', TEXT, ['kinds.media-type']],
  ['/kinds', 'text/plain', '12', []],
  ['/kinds', 'text/plain', 'twelve', []],
  ['/kinds', 'text/html', '<p>', ['kinds.media-type']],
  ['/kinds', 'application/json', '{"n":', ['kinds.body-is-json']],
  ['/kinds', null, TEXT, ['kinds.names-media-type']],
  ['/kinds', null, '', []],
  ['/ranges', 'application/json', NUMBER, []],
  ['/ranges', 'application/json', TEXT, ['ranges.response-shape']],
  ['/ranges', 'application/hal+json', TEXT, []],
  ['/ranges', 'application/hal+json', NUMBER, ['ranges.response-shape']],
  ['/ranges', 'application/xml', '<n/>', []],
  ['/ranges', 'application/xml', '12', []],
  ['/ranges', 'text/json', TEXT, ['ranges.response-shape']],
  ['/plain', 'application/json', NUMBER, []],
  ['/plain', 'text/json', NUMBER, []],
  ['/plain', 'application/json; charset=latin1', NUMBER, ['plain.media-type']],
  ['/plain', 'text/plain', NUMBER, ['plain.media-type']],
  ['/plain', 'text/plain', TEXT, ['plain.response-shape', 'plain.media-type']],
  ['/plain', 'json', NUMBER, ['plain.media-type']],
  ['/plain', 'text/html', '<p>', ['plain.body-is-json']],
  ['/plain', null, NUMBER, ['plain.names-media-type']],
  ['/plain', null, TEXT, ['plain.response-shape', 'plain.names-media-type']],
  ['/image', 'image/png', 'PNG', []],
  ['/image', 'image/jpeg', 'JPG', ['image.media-type']],
  ['/image', null, 'PNG', ['image.names-media-type']],
  ['/odd', 'text/html', '<p>', []],
])('GET %s answered as %s with %s', (path, type, body, broken) => {
  expect(brokenBy(answer(path, type, body)).toSorted()).toEqual(broken.toSorted());
});

test.each<[status: number, type: string, body: string, broken: readonly string[]]>([
  [404, 'application/json', TEXT, []],
  [404, 'application/problem+json', TEXT, []],
  [404, 'application/problem+json', NUMBER, ['errors.error-shape']],
  [404, 'application/hal+json', TEXT, ['errors.media-type']],
  [409, 'application/problem+json', TEXT, []],
  [409, 'application/json', TEXT, ['errors.media-type']],
  [418, 'application/problem+json', TEXT, []],
  [200, 'application/problem+json', NUMBER, ['errors.media-type']],
  [503, 'text/html', '<p>', []],
  [503, 'application/problem+json', NUMBER, []],
  [302, 'text/html', '<p>', []],
  [429, 'text/plain', 'slow', []],
])('an error %i answered as %s with %s', (status, type, body, broken) => {
  expect(brokenBy(answer('/errors', type, body, status))).toEqual(broken);
});

test('a request body is judged by its own media type', async () => {
  const requestBody = content({ 'application/json': integer, 'application/vnd.x+json': text });
  const sends = { responses: { 200: { description: 'taken' } }, requestBody };
  const found = (await contractOf({ '/x': { post: sends } })).find('ai', 'POST', '/x');
  const faults = (type: string | undefined, value: unknown): number | undefined =>
    found?.requestFaultsOf({ n: value }, type).listed.length;
  expect([faults('application/json', 1), faults('application/json', '1')]).toEqual([0, 1]);
  expect([faults('application/vnd.x+json', 1), faults('application/vnd.x+json', '1')]).toEqual([
    ...[1, 0],
  ]);
  expect([faults(undefined, 1), faults('text/plain', '1')]).toEqual([0, 0]);
});

test('of two documents that state an operation the one holds that states the media type', async () => {
  const types = { 'application/vnd.x+json': text, 'text/plain': {}, 'image/*': {} };
  const answers = get('chains', { 200: content(types) });
  const both = await contractOf({ '/v1/config/chains': answers }, {}, 'zap');
  const chains = both.operation('zap.chains');
  expect(chains?.faultsOf(200, { n: 1 }, 'application/vnd.x+json').listed).toHaveLength(1);
  expect(chains?.faultsOf(200, { n: '1' }, 'application/json').listed).toEqual([
    expect.objectContaining({ pointer: '/data' }),
  ]);
  for (const type of ['text/plain', 'image/png']) {
    expect(chains?.faultsOf(200, 12, type).listed).toEqual([]);
  }
});
