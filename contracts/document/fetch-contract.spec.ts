/** Long because all that fetching may meet is tried against the same two hosts. */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ContractError } from './contract-error.ts';
import { describeContractFiles, type ContractFiles } from './contract-files.ts';
import { fetchContractFiles, type FetchContractOptions } from './fetch-contract.ts';
import { loadContract } from '../service/load-contract.ts';
import { lacks } from '../../fixtures/machine-needs.testkit.ts';

const closing: (() => void)[] = [];
let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'assay-fetch-'));
});
afterEach(() => {
  for (const close of closing.splice(0)) close();
  rmSync(dir, { recursive: true });
});

/** A server on loopback, and the paths that it was asked for. */
async function served(
  answer: RequestListener | Readonly<Record<string, string>>,
): Promise<{ readonly url: string; readonly host: string; readonly asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`.trim());
    if (typeof answer === 'function') {
      answer(request, response);
      return;
    }
    const text = answer[request.url ?? ''];
    response.writeHead(text === undefined ? 404 : 200).end(text);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url: `http://${host}`, host, asked };
}

function openapi(schema: string): string {
  const content = `{ application/json: { schema: ${schema} } }`;
  const get = `{ get: { responses: { '200': { description: d, content: ${content} } } } }`;
  return `openapi: 3.1.0\ninfo: { title: t, version: '1' }\npaths: { /v1/pools: ${get} }\n`;
}

function refTo(url: string): string {
  return openapi(`{ $ref: '${url}' }`);
}

function file(name: string, text: string): string {
  const path = join(dir, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function read(source: string, options: FetchContractOptions = {}): Promise<ContractFiles> {
  return fetchContractFiles([{ api: 'zap', source }], { cwd: join(dir, 'nowhere'), ...options });
}

async function problemOf(reading: Promise<unknown>): Promise<string> {
  const error: unknown = await reading.catch((reason: unknown) => reason);
  if (!(error instanceof ContractError)) throw new Error(`no ContractError: ${String(error)}`);
  return error.message;
}

test('each file is fetched once, without credentials, and reported with its digest', async () => {
  const { url, asked } = await served({
    '/openapi.yaml': refTo('parts/pool.yaml#/a'),
    '/parts/pool.yaml':
      "a: { $ref: '#/b' }\nb: { $ref: '../openapi.yaml#/x' }\nc: { $ref: pool.yaml }",
  });
  const files = await read(`${url}/openapi.yaml`);
  expect(asked).toEqual(['GET /openapi.yaml', 'GET /parts/pool.yaml']);
  const reported = describeContractFiles(files);
  expect(reported.map(({ api, url: at }) => [api, at])).toEqual([
    ['zap', `${url}/openapi.yaml`],
    ['zap', `${url}/parts/pool.yaml`],
  ]);
  const [{ text } = { text: '' }] = files[0]?.files ?? [];
  expect(reported[0]).toMatchObject({
    sha256: createHash('sha256').update(text).digest('hex'),
    bytes: text.length,
  });
});

test('a contract is made of what was read, also in another thread, without asking again', async () => {
  const { url, asked } = await served({
    '/openapi.yaml': refTo('pool.yaml'),
    '/pool.yaml': 'type: array',
  });
  const overrides = [{ api: 'zap', source: `${url}/openapi.yaml` }] as const;
  const files = structuredClone(await fetchContractFiles(overrides));
  const contract = await loadContract({ overrides, files });
  expect(contract.operation('zap.pools')?.faultsOf(200, {}).listed).toHaveLength(1);
  const again = await loadContract({ overrides, files, isChecked: true });
  expect(again.sha256).toBe(contract.sha256);
  expect(asked).toHaveLength(2);
});

describe('a reference to another host', () => {
  test('is refused with the host, the place and the flag, and not asked', async () => {
    const other = await served({ '/x.yaml': 'type: array' });
    const { url } = await served({ '/openapi.yaml': refTo(`${other.url}/x.yaml`) });
    const problem = await problemOf(read(`${url}/openapi.yaml`));
    expect(problem).toContain(`refers to ${other.url}/x.yaml at #/paths/~1v1~1pools/get/`);
    expect(problem).toContain(`--allow-ref ${other.host}`);
    expect(other.asked).toEqual([]);
  });

  test('is followed if it is allowed, with or without its port', async () => {
    const other = await served({ '/x.yaml': 'type: array' });
    const source = file('c.yaml', refTo(`${other.url}/x.yaml`));
    expect(await problemOf(read(source))).toContain('is on the network; if you trust it');
    for (const allowed of [other.host, '127.0.0.1']) {
      const [contract] = await read(source, { allowRefs: [allowed] });
      expect(contract?.files).toHaveLength(2);
    }
    expect(await problemOf(read(source, { allowRefs: ['127.0.0.2'] }))).toContain('--allow-ref');
  });

  test('a second one, behind one that is allowed, is refused as well', async () => {
    const third = await served({ '/y.yaml': 'type: array' });
    const other = await served({ '/x.yaml': `$ref: '${third.url}/y.yaml'` });
    const source = file('c.yaml', refTo(`${other.url}/x.yaml`));
    const problem = await problemOf(read(source, { allowRefs: [other.host] }));
    expect(problem).toContain(`of ${other.url}/x.yaml, which is on the network`);
    expect(third.asked).toEqual([]);
  });

  test('one with a password is refused without repeating it', async () => {
    const source = file('c.yaml', refTo('http://me:hush@127.0.0.1:1/x.yaml'));
    const problem = await problemOf(read(source, { allowRefs: ['127.0.0.1'] }));
    expect(problem).toContain('credentials at #/paths');
    expect(problem).not.toContain('hush');
  });
});

describe('local files', () => {
  test('beside the contract, above it by one, and below the working directory are read', async () => {
    const source = file('api/c.yaml', refTo('../common/a.json'));
    file('common/a.json', JSON.stringify({ $ref: '../far/b.yml' }));
    file('far/b.yml', 'type: array');
    expect((await read(source))[0]?.files).toHaveLength(3);
    const deep = file('a/b/c/d.yaml', refTo('../../../far/b.yml'));
    expect(await problemOf(read(deep))).toContain('neither near the contract');
    expect((await read(deep, { cwd: dir }))[0]?.files).toHaveLength(2);
  });

  test.each([
    ['/etc/passwd', 'has no name of a contract'],
    ['/etc/alternatives/x.yaml', 'stands neither near the contract nor below'],
    ['data:application/json,{}', 'is no file: data: is not followed'],
    ['folder.yaml', 'cannot be read: it is a folder'],
    ['//[', 'is no URL'],
  ])('%s is not', async (ref, message) => {
    mkdirSync(join(dir, 'folder.yaml'));
    expect(await problemOf(read(file('c.yaml', refTo(ref))))).toContain(message);
  });

  test('a folder is no contract', async () => {
    mkdirSync(join(dir, 'folder.yaml'));
    expect(await problemOf(read(join(dir, 'folder.yaml')))).toContain('it is a folder');
  });

  test.skipIf(lacks('mkfifo'))('a named pipe is no contract, and no part of one', async () => {
    execFileSync('mkfifo', [join(dir, 'pipe.yaml')]);
    const expected = 'cannot be read: it is a named pipe';
    expect(await problemOf(read(join(dir, 'pipe.yaml')))).toContain(expected);
    expect(await problemOf(read(file('c.yaml', refTo('pipe.yaml'))))).toContain(expected);
  });

  test('none is read for a contract from the network', async () => {
    const local = pathToFileURL(file('secret.yaml', 'type: array')).href;
    const { url } = await served({ '/openapi.yaml': refTo(local) });
    expect(await problemOf(read(`${url}/openapi.yaml`, { allowRefs: [''], cwd: dir }))).toContain(
      'which is a file of this machine',
    );
  });
});

describe('redirects', () => {
  const away = (to: string): RequestListener => {
    return (request, response) => {
      if (request.url === '/new.yaml') response.end(openapi('{ type: array }'));
      else response.writeHead(302, { location: to }).end();
    };
  };

  test('of the named file are followed on the same origin, and no further', async () => {
    const near = await served(away('/new.yaml'));
    const [contract] = await read(`${near.url}/openapi.yaml`);
    expect(contract?.url).toBe(`${near.url}/new.yaml`);
    const far = await served(away(`${near.url}/new.yaml`));
    expect(await problemOf(read(`${far.url}/openapi.yaml`))).toContain('another origin');
    const round = await served(away('/openapi.yaml'));
    expect(await problemOf(read(`${round.url}/openapi.yaml`))).toContain('redirects too often');
    expect(round.asked).toHaveLength(6);
  });

  test('of a reference are not followed', async () => {
    const { url } = await served((request, response) => {
      if (request.url === '/c.yaml') response.end(refTo('x.yaml'));
      else response.writeHead(302, { location: '/y.yaml' }).end();
    });
    expect(await problemOf(read(`${url}/c.yaml`))).toContain(
      `it redirects: refer to ${url}/y.yaml`,
    );
  });
});

describe('limits', () => {
  test('of time, over all files', async () => {
    const { url } = await served((request, response) => {
      if (request.url === '/c.yaml') response.end(refTo('slow.yaml'));
      else response.writeHead(200).write('type:');
    });
    const problem = await problemOf(read(`${url}/c.yaml`, { limits: { mostMs: 1_000 } }));
    expect(problem).toContain('the time for contracts was over');
  });

  test('of bytes, of one file and of all', async () => {
    const { url } = await served((request, response) => {
      if (request.url === '/c.yaml') response.end(refTo('endless.yaml'));
      else if (request.url === '/d.yaml') response.end(refTo('e.yaml'));
      else if (request.url === '/e.yaml') response.end('x'.repeat(2_000));
      else {
        const more = (): void => {
          while (response.writable && response.write('#'.repeat(65_536)));
        };
        response.on('drain', more);
        more();
      }
    });
    expect(await problemOf(read(`${url}/c.yaml`))).toContain('it has more than 8388608 bytes');
    const few = read(`${url}/d.yaml`, { limits: { mostBytes: 2_000 } });
    expect(await problemOf(few)).toContain('its files have more than 2000 bytes');
  });

  test('of files', async () => {
    const { url, asked } = await served((request, response) => {
      const number = Number(/[0-9]+/.exec(request.url ?? '')?.[0] ?? 0);
      response.end(number === 0 ? refTo('1.yaml') : `$ref: ${number + 1}.yaml`);
    });
    expect(await problemOf(read(`${url}/0.yaml`))).toContain('needs more than 64 files');
    expect(asked).toHaveLength(64);
  });

  test.each([
    [404, 'it answers 404'],
    [503, 'it answers 503'],
  ])('a status of %i is reported', async (status, message) => {
    const { url } = await served((_, response) => response.writeHead(status).end('x'));
    expect(await problemOf(read(`${url}/c.yaml`))).toContain(message);
  });

  test('a server that is not there is reported', async () => {
    expect(await problemOf(read('http://127.0.0.1:9/c.yaml'))).toContain('cannot be fetched: ');
  });
});
