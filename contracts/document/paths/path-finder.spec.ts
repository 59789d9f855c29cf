import { describe, expect, test } from 'vitest';
import { cpuClock } from '../../cpu-clock.testkit.ts';
import { contractOf, success } from '../contract-of.testkit.ts';
import type { Contract } from '../schema.ts';

/** A contract of operations, each by its method and path, with that as its operationId. */
async function having(...operations: readonly string[]): Promise<(request: string) => string> {
  const contract = await contractOf(pathsOf(operations));
  return (request) => foundBy(contract, request);
}

function pathsOf(operations: readonly string[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const [index, operation] of operations.entries()) {
    const [method, path] = partsOf(operation);
    const responses = success({ type: 'integer' });
    (paths[path] ??= {})[method.toLowerCase()] = { operationId: `o${index}`, responses };
  }
  return paths;
}

function partsOf(request: string): readonly [method: string, path: string] {
  const at = request.indexOf(' ');
  return [request.slice(0, at), request.slice(at + 1)];
}

function foundBy(contract: Contract, request: string): string {
  const [method, path] = partsOf(request);
  const found = contract.find('ai', method, path);
  return found === undefined ? 'none' : `${found.method} ${found.pathTemplate}`;
}

describe('of several templates the most concrete holds, in whatever order they are stated', () => {
  test.each<[request: string, most: string, others: readonly string[]]>([
    ['/a/b', '/a/b', ['/a/{x}', '/{x}/b', '/{x}/{y}']],
    ['/a/b', '/a/{x}', ['/{x}/b', '/{x}/{y}']],
    ['/a/b', '/{x}/b', ['/{x}/{y}', '/{x}/b{y}']],
    ['/a/b.c', '/a/b.{x}', ['/a/{x}', '/{x}/b.c']],
    ['/a/b.json', '/a/{x}.json', ['/a/{x}.{y}', '/a/{x}']],
    ['/a/b-c/d', '/a/{x}-{y}/d', ['/a/{x}.{y}/{z}', '/a/{x}/d', '/a/{x}-{y}/{z}']],
    ['/a/{x}/c', '/a/{x}/c', ['/a/{x}/{y}', '/{z}/{x}/c']],
  ])('%s is %s', async (request, most, others) => {
    for (const paths of [
      [most, ...others],
      [...others, most],
    ]) {
      const find = await having(...paths.map((path) => `GET ${path}`));
      expect(find(`GET ${request}`)).toBe(`GET ${most}`);
    }
  });
});

test('the text of a template is found by the rules of templates as well', async () => {
  const find = await having('GET /a/{id}', 'GET /{b}/{id}', 'GET /{b}/%7Bid%7D');
  expect(find('GET /a/{id}')).toBe('GET /a/{id}');
  expect(find('GET /c/{id}')).toBe('GET /{b}/%7Bid%7D');
  expect(find('GET /{b}/{other}')).toBe('GET /{b}/{id}');
});

test('the path decides before the method', async () => {
  const find = await having('GET /things/mine', 'GET /things/{id}', 'DELETE /things/{id}');
  expect(find('DELETE /things/mine')).toBe('none');
  expect(find('DELETE /things/other')).toBe('DELETE /things/{id}');
});

test('HEAD is GET if no HEAD is stated', async () => {
  const find = await having('GET /a', 'GET /b/{id}', 'GET /c/{id}', 'HEAD /c/{id}', 'PUT /d');
  expect(find('HEAD /a')).toBe('GET /a');
  expect(find('head /b/1')).toBe('GET /b/{id}');
  expect(find('HEAD /c/1')).toBe('HEAD /c/{id}');
  expect(find('HEAD /d')).toBe('none');
});

test('an encoding that changes nothing distinguishes no paths, another one does', async () => {
  const find = await having(
    'GET /pools',
    'GET /métier/{id}',
    'GET /a b|c',
    'GET /x~y',
    'GET /q/{id}',
  );
  expect(find('GET /p%6Fols')).toBe('GET /pools');
  expect(find('GET /m%c3%a9tier/1')).toBe('GET /métier/{id}');
  expect(find('GET /a%20b%7Cc')).toBe('GET /a b|c');
  expect(find('GET /x%7ey?x=%2F')).toBe('GET /x~y');
  expect(find('GET /q/1%2F2')).toBe('GET /q/{id}');
  expect(find('GET /q%2F1')).toBe('none');
  expect(find('GET /pools/')).toBe('none');
  expect(find('GET /%zz\ud800')).toBe('none');
});

describe('a request of two templates alike', () => {
  const text = success({ type: 'string' });
  const body = { responses: success({ type: 'integer' }) };
  const tie = async (other: object): Promise<Contract> =>
    contractOf({
      '/a/{x}-{y}': { get: { operationId: 'first', ...body } },
      '/a/{x}.{y}': { get: { operationId: 'second', ...other } },
    });

  test('is broken if both say so, and nowhere else', async () => {
    const alike = (await tie(body)).find('ai', 'GET', '/a/1-2.3');
    expect(alike?.faultsOf(200, 'x').listed).toHaveLength(1);
    expect(alike?.mediaTypesOf(200)).toEqual(['application/json']);
    const unlike = (await tie({ responses: text })).find('ai', 'GET', '/a/1-2.3');
    for (const value of ['x', 1]) expect(unlike?.faultsOf(200, value).listed).toEqual([]);
  });

  test('has a status that one of them states, and no media type if one states none', async () => {
    const contract = await tie({ responses: { 201: { description: 'made' } } });
    const tied = contract.find('ai', 'GET', '/a/1-2.3');
    expect([200, 201, 202].map((status) => tied?.mediaTypesOf(status))).toEqual([
      [],
      [],
      undefined,
    ]);
    expect(tied?.statesBody(200)).toBe(false);
  });

  test('is of one if one has the method, and where only one holds', async () => {
    const contract = await contractOf(pathsOf(['GET /a/{x}-{y}', 'PUT /a/{x}.{y}']));
    expect(foundBy(contract, 'PUT /a/1-2.3')).toBe('PUT /a/{x}.{y}');
    expect(foundBy(await tie(body), 'GET /a/1.3')).toBe('GET /a/{x}.{y}');
  });
});

test('two thousand templates cost a request little', async () => {
  const operations = Array.from({ length: 1_999 }, (_, at) => `GET /{a}/b${at}-{c}/{d}`);
  const find = await having(...operations, 'GET /{a}/{b}/{c}');
  const cpuMs = cpuClock();
  for (let at = 0; at < 200; at += 1) {
    expect(find('GET /a/b7-1/c')).toBe('GET /{a}/b7-{c}/{d}');
    expect(find(`GET /a/${'b'.repeat(5_000)}/c`)).toBe('GET /{a}/{b}/{c}');
  }
  expect(cpuMs()).toBeLessThan(5_000);
});
