import { expect, test } from 'vitest';
import { contractOf } from '../document/contract-of.testkit.ts';
import { exchangeOf } from './exchange.testkit.ts';
import { NO_CONTRACT } from './no-contract.testkit.ts';
import { memoOf, View } from './view.ts';

test('a memo is computed once for each view, also if it comes to nothing', () => {
  let computed = 0;
  const something = memoOf(({ status }) => ({ status, at: (computed += 1) }));
  const nothing = memoOf(() => {
    computed += 1;
    return null;
  });
  const [one, other] = [new View(exchangeOf(), NO_CONTRACT), new View(exchangeOf(), NO_CONTRACT)];
  expect(one.get(something)).toBe(one.get(something));
  expect([one.get(nothing), one.get(nothing)]).toEqual([null, null]);
  expect(computed).toBe(2);
  expect(other.get(something)).toEqual({ status: 200, at: 3 });
});

test('header fields are seen up to twice what any client takes, and the rest is left out', () => {
  const fields = Array.from({ length: 5_000 }, (_, at): [string, string] => [
    `x-${at}`,
    'twenty characters ok',
  ]);
  const exchange = exchangeOf();
  const outcome = exchange.outcome.kind === 'response' ? exchange.outcome : undefined;
  if (outcome === undefined) throw new Error('an answer was asked for');
  const response = { ...outcome.response, headers: [['Date', 'now'] as const, ...fields] };
  const view = new View({ ...exchange, outcome: { kind: 'response', response } }, NO_CONTRACT);
  expect(view.header('date')).toBe('now');
  const characters = view.responseHeaders.reduce((sum, field) => sum + field.join('').length, 0);
  expect(characters).toBeGreaterThan(32_000);
  expect(characters).toBeLessThanOrEqual(32_768);
});

test('a body that nests too deep is reported, and is too much to any rule', () => {
  const deep = `${'['.repeat(200)}${']'.repeat(200)}`;
  const exchange = exchangeOf({ sent: 1 });
  const view = new View(
    {
      ...exchange,
      request: { ...exchange.request, body: { encoding: 'utf8', text: deep } },
      outcome: {
        kind: 'response',
        response: { status: 200, headers: [], body: { encoding: 'utf8', text: deep } },
      },
    },
    NO_CONTRACT,
  );
  expect([view.json, view.requestJson, view.raw('/0')]).toEqual([undefined, undefined, 'nothing']);
  expect(view.jsonError).toContain('nested deeper than 100 levels');
  expect([view.isTooMuch, view.isJson, view.schemaFaults.isComplete]).toEqual([true, true, false]);
});

test.each([
  ['deeper than is parsed', '['.repeat(4_000_000), /^no JSON, and nested deeper/],
  ['of more than is parsed', `[${'{},'.repeat(400_000)}`, /^no JSON, and of more than 250000/],
  ['as usual', '[', /^SyntaxError/],
])('a body that is no JSON is none, also if it nests %s', (_, text, error) => {
  const exchange = exchangeOf();
  const body = { encoding: 'utf8', text } as const;
  const response = { status: 200, headers: [], body };
  const view = new View({ ...exchange, outcome: { kind: 'response', response } }, NO_CONTRACT);
  expect([view.isTooMuch, view.isJson]).toEqual([false, false]);
  expect(view.jsonError).toMatch(error);
});

test('what stands under a very long key is not looked up', () => {
  const view = new View(exchangeOf({ answered: { ['k'.repeat(5_000)]: 7, a: 8 } }), NO_CONTRACT);
  expect(view.raw('/a')).toBe('8');
  expect(view.raw(`/${'k'.repeat(5_000)}`)).toBe('what stands under a very long key');
});

test.each([
  [199, false],
  [200, true],
  [299, true],
  [300, false],
])('the status %i is a success: %s', (status, expected) => {
  expect(new View(exchangeOf({ status }), NO_CONTRACT).succeeded).toBe(expected);
});

test('each status that is known to reject makes an answer a throttled one', () => {
  const throttled = (status: number): boolean =>
    new View(exchangeOf({ status }), NO_CONTRACT, { throttleStatuses: [403, 503] }).throttled;
  expect([403, 503, 502].map(throttled)).toEqual([true, true, false]);
});

test('HEAD of a GET shows none of the content that the contract states, and HEAD itself may', async () => {
  const responses = { 200: { description: 'any' } };
  const contract = await contractOf({
    '/a': { get: { operationId: 'a', responses } },
    '/b': { get: { operationId: 'b', responses }, head: { operationId: 'head', responses } },
  });
  const idOf = (method: string, path: string): string | undefined =>
    new View(exchangeOf({ api: 'ai', method, path }), contract).operation?.id;
  expect(contract.find('ai', 'HEAD', '/a')?.id).toBe('ai.a');
  expect([idOf('HEAD', '/a'), idOf('head', '/a')]).toEqual([undefined, undefined]);
  expect([idOf('GET', '/a'), idOf('HEAD', '/b')]).toEqual(['ai.a', 'ai.head']);
});
