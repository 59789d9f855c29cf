import { describe, expect, test } from 'vitest';
import { contractOf, success } from '../contract-of.testkit.ts';
import { placesBelow } from './places-below.ts';
import { loadContractOf } from '../load-contract.ts';
import type { Contract } from '../schema.ts';
import { PLAIN_ERRORS } from '../../wire/error-reading.ts';

const servers = (...urls: readonly string[]): object => ({ servers: urls.map((url) => ({ url })) });
const responses = success({ type: 'integer' });

/** A contract of one document, which was read from a URL. */
async function read(
  document: object,
  url = 'file:///checkout/books.json',
  version = '3.1.0',
): Promise<Contract> {
  const info = { title: 'books', version: '1' };
  const text = JSON.stringify({ openapi: version, info, ...document });
  const files = [{ api: 'books', source: 'books.json', url, files: [fileOf(url, text)] }];
  return loadContractOf({ documents: [], errors: PLAIN_ERRORS }, { files });
}

function fileOf(
  url: string,
  text: string,
): { url: string; text: string; sha256: string; bytes: number } {
  return { url, text, sha256: '', bytes: text.length };
}

const shop = {
  ...servers('https://books.example/v1'),
  paths: {
    '/all': { get: { operationId: 'all', responses } },
    '/files': {
      ...servers('https://books.example/v1/static', '/v2/static'),
      get: { operationId: 'files', responses },
      put: { operationId: 'put', ...servers('https://up.example/in'), responses },
      post: { operationId: 'empty', servers: [], responses },
    },
  },
};

test('the innermost servers hold for an operation', async () => {
  const contract = await read(shop);
  const paths = (id: string): unknown =>
    contract.operation(`books.${id}`)?.servers.own.map(({ host, path }) => [host, path]);
  expect(paths('all')).toEqual([['books.example', '/v1']]);
  const ofFiles = [
    ['books.example', '/v1/static'],
    [undefined, '/v2/static'],
  ];
  expect(paths('files')).toEqual(ofFiles);
  expect(paths('put')).toEqual([['up.example', '/in']]);
  expect(paths('empty')).toEqual(ofFiles);
});

test('a request is found below a base URL with the path of the server, without it, and beside it', async () => {
  const contract = await read(shop);
  const found = (method: string, path: string): string | undefined =>
    contract.find('books', method, path)?.id;
  expect(['/all', '/v1/all', '/v2/all'].map((path) => found('GET', path))).toEqual([
    ...['books.all', 'books.all', undefined],
  ]);
  for (const path of ['/files', '/static/files', '/v1/static/files', '/v2/static/files']) {
    expect([path, found('GET', path)]).toEqual([path, 'books.files']);
  }
  expect(found('PUT', '/in/files')).toBe('books.put');
});

test('a path as the contract writes it counts before one below another base URL', async () => {
  const paths = {
    '/v1/a': { get: { operationId: 'whole', responses } },
    '/a': { get: { operationId: 'part', responses } },
  };
  const contract = await read({ ...servers('/v1'), paths });
  expect(contract.find('books', 'GET', '/v1/a')?.id).toBe('books.whole');
  expect(contract.find('books', 'GET', '/v1/v1/a')?.id).toBe('books.whole');
  expect(contract.find('books', 'GET', '/a')?.id).toBe('books.part');
});

test.each<[stated: object, url: string, host: string | undefined, path: string]>([
  [{ url: '/v1/' }, 'file:///a/b.json', undefined, '/v1'],
  [{ url: './v1' }, 'file:///a/b.json', undefined, '/v1'],
  [{ url: '../api' }, 'http://docs.example/x/y/b.json', undefined, '/x/api'],
  [{ url: '.' }, 'http://docs.example/x/b.json', undefined, '/x'],
  [{ url: '//h.example:1/p' }, 'http://docs.example/b.json', 'h.example:1', '/p'],
  [
    {
      url: '{s}://{h}/{v}/',
      variables: {
        s: { default: 'https' },
        h: { default: 'h.example' },
        v: { default: 'v3', enum: ['v2', 'v3'] },
      },
    },
    'file:///b.json',
    'h.example',
    '/v3',
  ],
  [{ url: 'https://h.example/{v}' }, 'file:///b.json', undefined, ''],
  [{ url: '//[' }, 'file:///b.json', undefined, ''],
  [
    { url: '{a}'.repeat(300), variables: { a: { default: 'x'.repeat(900) } } },
    'file:///b.json',
    undefined,
    '',
  ],
])('the server %j of a document at %s', async (stated, url, host, path) => {
  const contract = await read(
    { servers: [stated], paths: { '/a': { get: { operationId: 'a', responses } } } },
    url,
  );
  expect(contract.operation('books.a')?.servers.own).toEqual([{ host, path }]);
});

describe('what stands before a path below a base URL', () => {
  const main = [{ host: 'h.example', path: '/v1' }];
  const own = (host: string | undefined, path: string): { main: typeof main; own: object[] } => ({
    main,
    own: [{ host, path }],
  });
  test.each<
    [
      base: string | undefined,
      host: string | undefined,
      path: string,
      prefixes: readonly string[],
      isCertain: boolean,
    ]
  >([
    ['http://h.example/v1', 'h.example', '/v1', [''], true],
    ['http://h.example/', 'h.example', '/v1', ['/v1'], true],
    ['http://localhost:1', 'h.example', '/v1', ['', '/v1'], true],
    ['http://localhost:1/v1/', 'h.example', '/v1', [''], true],
    ['http://localhost:1/gate/v1', 'h.example', '/v1', [''], true],
    ['http://localhost:1/v1', 'h.example', '/v1/files', ['/files'], true],
    ['http://localhost:1/v1', undefined, '/v2', [], true],
    ['http://localhost:1/v1', undefined, '/v1beta', [], true],
    ['http://localhost:1/v1', undefined, '', [], true],
    ['http://localhost:1', undefined, '', [''], true],
    ['http://localhost:1', 'cdn.example', '', [''], false],
    ['http://h.example/v1', 'cdn.example', '', [], false],
    ['http://cdn.example', 'cdn.example', '', [''], true],
    [undefined, 'h.example', '/v1', ['', '/v1'], true],
    ['no URL', 'h.example', '/v1', ['', '/v1'], true],
  ])('%s of a server %s%s', (base, host, path, prefixes, isCertain) => {
    const servers = own(host, path) as Parameters<typeof placesBelow>[0];
    expect(placesBelow(servers, base)).toEqual({ prefixes, isCertain });
  });
});

test('an operation that replaces one of the service stays at its path', async () => {
  const paths = { '/pools': { ...servers('/v1'), get: { responses } } };
  const contract = await contractOf(paths, {}, 'zap');
  expect(contract.find('zap', 'GET', '/v1/pools')?.faultsOf(200, {}).listed).toHaveLength(1);
  expect(contract.find('zap', 'GET', '/pools')).toBeUndefined();
});
