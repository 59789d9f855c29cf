import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ConfigError, resolveConfig, type TargetConfig } from '../../target/config/config.ts';
import { loadOwnCode } from './load-own-code.ts';

describe('a service in a configuration', () => {
  let cwd = '';
  beforeEach(() => {
    cwd = mkdtempSync(join(tmpdir(), 'assay-own-service-'));
  });
  afterEach(() => {
    rmSync(cwd, { recursive: true });
  });

  function read(
    text: string,
    flags: Readonly<Record<string, unknown>> = {},
    env: Readonly<Record<string, string>> = {},
  ): Promise<TargetConfig> {
    writeFileSync(join(cwd, 'assay.config.yaml'), text);
    return resolveConfig({ flags, env, cwd, apis: ['zap', 'trade'], defaultSeed: 1 });
  }

  const SERVICE = `service:
  name: library
  apis:
    books: { document: books.yaml, url: 'http://127.0.0.1:1/' }
    loans: { document: 'http://docs.example/loans.yaml' }
`;

  test('has its APIs in place of others, their documents before other contracts', async () => {
    const config = await read(`${SERVICE}loansUrl: http://127.0.0.1:2\ncontracts: [more.yaml]`);
    expect(config.service).toMatchObject({ name: 'library', apis: ['books', 'loans'] });
    expect([config.booksUrl, config.loansUrl]).toEqual([
      'http://127.0.0.1:1',
      'http://127.0.0.1:2',
    ]);
    expect(config.contracts).toEqual([
      { api: 'books', location: join(cwd, 'books.yaml') },
      { api: 'loans', location: 'http://docs.example/loans.yaml' },
      { api: 'books', location: join(cwd, 'more.yaml') },
    ]);
  });

  test('has requests to find the limits of some of its APIs with', async () => {
    const limits = '{ request: GET /books?most=1, otherRoute: HEAD /b, refused: POST /books }';
    const { service } = await read(`service:
  name: library
  apis: { books: { document: a.yaml, limits: ${limits} }, loans: { document: b.yaml } }
`);
    expect(service?.limits).toEqual({
      books: {
        request: { method: 'GET', path: '/books?most=1' },
        otherRoute: { method: 'HEAD', path: '/b' },
        refused: { method: 'POST', path: '/books' },
      },
    });
  });

  test('may have digits and hyphens in the names of its APIs, wherever one is named', async () => {
    const named = `service:
  name: library
  apis: { books-2: { document: a.yaml }, a-b: { document: b.yaml } }
contracts: [a-b=more.yaml, books-2=http://docs.example/more.yaml]
headers: ['books-2=X-Team: a', 'X-Run: b']
`;
    const config = await read(named);
    expect(config.contracts.slice(2)).toEqual([
      { api: 'a-b', location: join(cwd, 'more.yaml') },
      { api: 'books-2', location: 'http://docs.example/more.yaml' },
    ]);
    expect(config.headers).toEqual([
      { api: 'books-2', name: 'X-Team', value: 'a' },
      { name: 'X-Run', value: 'b' },
    ]);
    const flags = { contracts: ['a-b=c.yaml'], header: ['a-b=X-Team: c'] };
    const flagged = await read(named, flags);
    expect(flagged.contracts.at(-1)).toEqual({ api: 'a-b', location: join(cwd, 'c.yaml') });
    expect(flagged.headers).toEqual([{ api: 'a-b', name: 'X-Team', value: 'c' }]);
    for (const wrong of [{ contracts: ['a-c=c.yaml'] }, { header: ['a-c=X-Team: c'] }]) {
      await expect(read(named, wrong)).rejects.toThrow('api one of books-2, a-b');
    }
  });

  test('is asked if a variable says, before if it says itself', async () => {
    const config = await read(SERVICE, {}, { ASSAY_BOOKS_URL: 'http://127.0.0.1:9' });
    expect(config.booksUrl).toBe('http://127.0.0.1:9');
    expect(config.warnings).toEqual([]);
  });

  test.each([
    ['service: library', {}, 'service, file assay.config.yaml'],
    ['service: { name: library, apis: {} }', {}, '1 to 20 APIs'],
    ['service: { name: a, apis: { Books: { document: b } } }', {}, 'names of APIs'],
    ['service: { name: a, apis: { constructor: { document: b } } }', {}, 'names of APIs'],
    ['service: { name: a, apis: { b: { url: http://127.0.0.1 } } }', {}, 'document'],
    ['service: { name: a, apis: { b: { document: "http://u:p@h/x" } } }', {}, 'credentials'],
    ['service: { name: a, apis: { b: { document: c, limits: GET /b } } }', {}, 'limits: {'],
    ['service: { name: a, apis: { b: { document: c, limits: { request: /b } } } }', {}, 'GET /'],
    [`${SERVICE}zapUrl: http://127.0.0.1:1`, {}, 'one of the keys booksUrl, loansUrl'],
    [SERVICE, { zapUrl: 'http://127.0.0.1:1' }, 'no URL but of the APIs of the configured service'],
  ])('%j with %j is wrong use', async (text, flags, message) => {
    const reading = read(text, flags);
    await expect(reading).rejects.toThrow(ConfigError);
    await expect(reading).rejects.toThrow(message);
  });

  test('brings relations and generators, which a thread loads by itself', async () => {
    const file = join(cwd, 'assay.config.mjs');
    writeFileSync(
      file,
      `export default {
  service: { name: 'library', apis: { books: { document: 'books.yaml' } } },
  relations: [{ scope: 'relation', id: 'ours.list.in-order', level: 'must', source: 'ours',
    protects: 'It is so.', api: 'books', operations: ['books.list'], change: () => undefined,
    digest: () => 1, compare: () => [] }],
  generators: [{ scope: 'generator', name: 'ours.list', api: 'books', choices: {},
    request: () => ({ path: '/books' }) }],
};`,
    );
    const config = await resolveConfig({ flags: {}, env: {}, cwd, apis: [], defaultSeed: 1 });
    // What passes between threads is data; the rule of a relation is one of its rules.
    expect(structuredClone(config)).toMatchObject({
      rules: { path: file },
      generators: { path: file },
    });
    const code = await loadOwnCode(config.rules, ['books']);
    expect(code.rules.map(({ id }) => id)).toEqual(['ours.list.in-order']);
    expect(code.generators.map(({ name }) => name)).toEqual(['own.ours.list']);
  });
});
