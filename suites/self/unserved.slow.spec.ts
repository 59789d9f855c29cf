import { createServer } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  checked,
  checkedLibrary,
  expectUndecided,
  failed,
  folder,
} from './checked-runs.testkit.ts';
import {
  type Front,
  fronted,
  libraryBehind,
  libraryConfig,
  page,
  typed,
} from './fronted-services.testkit.ts';
import { SERVER_CERTIFICATE, SERVER_KEY } from './private-pki.ts';

const everything: (answer: ReturnType<Front>) => Front = (answer) => () => answer;

describe('a service of one’s own', () => {
  test('that serves each operation conforms', async () => {
    const seen = await checkedLibrary(() => undefined);
    expect(seen.code, seen.said).toBe(0);
    expect(seen.run.notices).toEqual([]);
  });

  test('that has no book to list conforms, and says that reading one was not seen', async () => {
    const seen = await checkedLibrary(() => undefined, true);
    expect(seen.code, seen.said).toBe(0);
    expect(seen.run.notices).toEqual([expect.stringContaining('books.read (GET /v1/books/{id})')]);
  });

  test('that wants a credential for four of five operations', async () => {
    const seen = await checkedLibrary(({ path }) =>
      path === '/v1/hours' ? undefined : typed(401, 'UNAUTHORIZED'),
    );
    expectUndecided(
      seen,
      /only answered 401 or 403: books\.list \(GET \/v1\/books\), .*and|--header/,
    );
    expect(seen.run.notices[0]).toContain('books.add (POST /v1/books)');
    expect(seen.run.notices[0]).toContain("--header 'Authorization: $ASSAY_SECRET_NAME'");
  });

  test('of which one operation is not there', async () => {
    const seen = await checkedLibrary(({ path }) =>
      path === '/v1/shelves' ? typed(404, 'NOT_FOUND') : undefined,
    );
    expect(seen.code, seen.said).toBe(3);
    expect(seen.run.notices[0]).toMatch(
      /only answered 404.*: books\.shelves \(GET \/v1\/shelves\)/,
    );
  });

  test('of which one operation refuses all', async () => {
    const seen = await checkedLibrary(({ method }) =>
      method === 'POST' ? typed(422, 'NO_SUCH_TITLE') : undefined,
    );
    expectUndecided(seen, /every valid request was refused: books\.add .*422 .*NO_SUCH_TITLE/);
  });

  test.each([
    [500, 'typed', typed(500, 'INTERNAL')],
    [502, 'a page of a gateway', page(502)],
  ])(
    'of which one operation always fails with %i, %s, does not conform',
    async (status, _, answer) => {
      const seen = await checkedLibrary(({ method }) => (method === 'POST' ? answer : undefined));
      expect(seen.code, seen.said).toBe(1);
      expect(failed(seen)).toContain('books.operations.each-serves');
      const row = seen.run.rules.find(({ id }) => id === 'books.operations.each-serves');
      expect(row?.findings[0]?.actual).toContain(`books.add failed in all of`);
      expect(row?.findings[0]?.actual).toContain(String(status));
    },
  );

  test.each([
    ['typed 503', typed(503, 'UNAVAILABLE'), /served nothing in the whole run: \d+ requests/],
    ['pages of a gateway', page(502), /page of a proxy or gateway/],
  ])('that is out: %s', async (_, answer, words) => {
    const seen = await checkedLibrary(everything(answer));
    expectUndecided(seen, words);
    expect(failed(seen)).toEqual([]);
    expect(seen.run.notices).toHaveLength(1);
  });

  test.each([
    ['web pages', page(200), /web pages in place of JSON/],
    ['nothing but 404', page(404), /Nothing is served under .* right base URL/],
  ])('at a base URL with %s', async (_, answer, words) => {
    expectUndecided(await checkedLibrary(everything(answer)), words);
  });

  test('over TLS at a port of plain HTTP', async () => {
    const url = (await libraryBehind(() => undefined)).replace('http:', 'https:');
    const seen = await checked([], libraryConfig(folder(), url));
    expectUndecided(seen, /speaks plain HTTP there, not TLS/);
  });

  test('in plain HTTP at a port of TLS', async () => {
    const options = { cert: SERVER_CERTIFICATE, key: SERVER_KEY };
    const server = createServer(options, (_, response) => response.end());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const seen = await checked([], libraryConfig(folder(), `http://127.0.0.1:${port}`));
    expectUndecided(seen, /If it speaks TLS, its URL begins with https:\/\//);
  });

  test('that is left out of by its user conforms in what is left', async () => {
    const url = await libraryBehind(({ path }) =>
      path === '/v1/shelves' ? typed(401, 'UNAUTHORIZED') : undefined,
    );
    const cwd = libraryConfig(folder(), url);
    expect((await checked([], cwd)).code).toBe(3);
    expect((await checked(['--skip', 'books.shelves'], cwd)).code).toBe(0);
    expect((await checked(['--only', 'books.hours'], cwd)).code).toBe(0);
  });
});

describe('the built-in service', () => {
  test.each([
    ['typed 503', typed(503, 'SERVICE_UNAVAILABLE'), /served nothing in the whole run/],
    ['silence', 'silence' as const, /did not answer any of \d+ requests/],
  ])('that is out: %s', async (_, answer, words) => {
    const seen = await checked(await fronted(everything(answer)));
    expectUndecided(seen, words);
    expect(failed(seen)).toEqual([]);
    // One line for each of its three hosts.
    expect(seen.run.notices).toHaveLength(3);
  });

  test('of which one host is out breaks what another breaks', async () => {
    const seen = await checked(
      await fronted(({ path }) => {
        if (path.startsWith('docs')) return typed(503, 'SERVICE_UNAVAILABLE');
        return path === 'zap/v1/config/chains' ? typed(404, 'NOT_FOUND') : undefined;
      }),
    );
    expect(seen.code, seen.said).toBe(1);
    expect(failed(seen).filter((id) => id.startsWith('docs.'))).toEqual([]);
    expect(failed(seen)).toContain('zap.chains.served');
  });

  test('below a base URL that repeats /v1', async () => {
    const targets = await fronted(() => undefined);
    const seen = await checked(
      targets.map((one) => (one.startsWith('http') && one !== targets[5] ? `${one}/v1` : one)),
    );
    expectUndecided(seen, /base URL of the zap API.*404.*begin with \/v1: leave that out/);
  });

  test('of which the zap API is said to be where the trade API is', async () => {
    const [, , ...others] = await fronted(() => undefined);
    const seen = await checked(['--zap-url', others[1] ?? '', ...others]);
    expectUndecided(seen, /base URL of the zap API.*It is that of the trade API as well/);
    // Nothing names tokens, so that no trade was asked for, and none refused.
    expect(seen.run.notices).toHaveLength(1);
  });

  test.each([
    // Section 4.2: the key is optional, so a demand for one is a fault by itself.
    ['401', 1, typed(401, 'UNAUTHORIZED'), /ASSAY_TRADE_KEY/],
    ['nothing but refusals', 3, typed(422, 'NO_ROUTE_FOUND'), /every valid request was refused/],
  ])('of which trade builds get %s', async (_, code, answer, words) => {
    const targets = await fronted(({ path }) => (path === 'trade/v1/buildTx' ? answer : undefined));
    const seen = await checked([...targets, '--only', 'trade']);
    expect(seen.code, seen.said).toBe(code);
    expect(seen.run.notices.join('\n')).toMatch(words);
    expect(seen.run.notices.join('\n')).toContain('trade.build-tx (POST /v1/buildTx)');
  });
});
