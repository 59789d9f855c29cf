/** Long because it is a list of what a server may do, each with what is made of it. */

import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { httpResponse, listenRaw, type RawServer } from './loopback.testkit.ts';
import { UnsendableRequest, type OutgoingRequest, type TransportResult } from './transport.ts';
import { createUndiciTransport, type UndiciTransport } from './undici-transport.ts';
import { lacks } from '../../fixtures/machine-needs.testkit.ts';

const MIB = 1_048_576;
let server: RawServer | undefined;
let transport: UndiciTransport | undefined;

afterEach(async () => {
  await transport?.close();
  await server?.close();
  server = transport = undefined;
});

interface Exchanged {
  readonly result: TransportResult;
  readonly tookMs: number;
  readonly server: RawServer;
}

async function ask(
  answer: (socket: Socket) => void,
  request: Partial<OutgoingRequest> & { readonly path?: string } = {},
): Promise<Exchanged> {
  transport ??= createUndiciTransport();
  server ??= await listenRaw(answer);
  const startMs = performance.now();
  const result = await transport({
    method: 'GET',
    url: server.url + (request.path ?? '/v1/config/chains'),
    headers: [],
    body: null,
    timeoutMs: 3_000,
    maxBodyBytes: MIB,
    ...request,
  });
  return { result, tookMs: performance.now() - startMs, server };
}

function bodyText(result: TransportResult): string {
  if (result.kind === 'failure') throw new Error(`${result.failure}: ${result.message}`);
  return Buffer.from(result.body).toString('utf8');
}

describe('answers', () => {
  test('an HTML page is a response like any other', async () => {
    const page = '<!doctype html><title>Bad gateway</title>';
    const { result } = await ask((socket) =>
      socket.write(httpResponse(page, 'Content-Type: text/html\r\n', '502 Bad Gateway')),
    );
    expect(result).toMatchObject({ kind: 'response', status: 502 });
    expect(bodyText(result)).toBe(page);
  });

  test('header fields keep their spelling, order and repeats', async () => {
    const { result } = await ask((socket) =>
      socket.write(
        httpResponse('{}', 'X-B: 2\r\nset-cookie: a=1\r\nX-b: 3\r\nSet-Cookie: b=2\r\n'),
      ),
    );
    expect(result.kind === 'response' && result.headers).toEqual([
      ['X-B', '2'],
      ['set-cookie', 'a=1'],
      ['X-b', '3'],
      ['Set-Cookie', 'b=2'],
      ['Content-Length', '2'],
    ]);
  });

  test('a redirect is an answer, and nothing is asked of its target', async () => {
    const elsewhere = await listenRaw((socket) => socket.write(httpResponse('{}')));
    const exchanged = await ask(
      (socket) =>
        socket.write(httpResponse('', `Location: ${elsewhere.url}/\r\n`, '307 Temporary Redirect')),
      { headers: [['Authorization', 'Bearer secret-key']] },
    );
    await elsewhere.close();
    expect(exchanged.result).toMatchObject({ kind: 'response', status: 307 });
    expect(elsewhere.seen).toEqual([]);
    expect(exchanged.server.seen).toHaveLength(1);
  });

  test('a stream of events without end is what came of it', async () => {
    const { result } = await ask((socket) => {
      socket.write(
        'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n',
      );
      socket.write('9\r\ndata: 1\n\n\r\n');
    });
    expect(result).toMatchObject({ kind: 'response', status: 200 });
    expect(bodyText(result)).toBe('data: 1\n\n');
  });

  test('informational responses are passed over', async () => {
    const { result } = await ask((socket) => {
      socket.write('HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n');
      socket.write(httpResponse('{"a":1}'));
    });
    expect(result).toMatchObject({ kind: 'response', status: 200 });
    expect(bodyText(result)).toBe('{"a":1}');
  });

  test('paths go out as they are spelt', async () => {
    const path = '/v1/../v1//pools/?tokens=0xA,%30xB&limit=-1';
    const exchanged = await ask((socket) => socket.write(httpResponse('{}')), { path });
    expect(exchanged.server.seen[0]?.line).toBe(`GET ${path} HTTP/1.1`);
  });

  test('connections are used again', async () => {
    for (let at = 0; at < 20; at += 1) await ask((socket) => socket.write(httpResponse('{}')));
    expect(server?.seen).toHaveLength(20);
    // A second one comes up when a request follows before the first is put back.
    expect(server?.connections()).toBeLessThanOrEqual(2);
  });

  test.skipIf(lacks('all of 127.0.0.0/8'))(
    'requests leave from the source address that is asked for',
    async () => {
      const answer = (socket: Socket): boolean => socket.write(httpResponse('{}'));
      await ask(answer);
      await ask(answer, { sourceAddress: '127.0.0.2' });
      await ask(answer, { sourceAddress: '127.0.0.3' });
      expect(server?.seen.map(({ from }) => from)).toEqual(['127.0.0.1', '127.0.0.2', '127.0.0.3']);
    },
  );
});

describe('content codings', () => {
  const text = JSON.stringify({ data: 'x'.repeat(1000) });
  test.each([
    ['gzip', gzipSync(text)],
    ['br', brotliCompressSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['gzip, br', brotliCompressSync(gzipSync(text))],
    ['identity', Buffer.from(text)],
  ])('%s is undone, the field kept', async (coding, bytes) => {
    const field = `Content-Encoding: ${coding}\r\n`;
    const { result } = await ask((socket) => socket.write(httpResponse(bytes, field)));
    expect(bodyText(result)).toBe(text);
    expect(result.kind === 'response' && result.headers[0]).toEqual(['Content-Encoding', coding]);
  });

  test.each([
    ['bytes that are not gzip', 'gzip', Buffer.from('{"plain":"json"}')],
    ['gzip that is cut off', 'gzip', gzipSync(text).subarray(0, 20)],
    ['gzip under the name of br', 'br', gzipSync(text)],
    ['a coding nobody asked for', 'zstd', Buffer.from(text)],
    ['a coding named like a member of every object', 'constructor', Buffer.from(text)],
    ['too many layers', 'gzip, gzip, gzip, gzip', gzipSync(text)],
  ])('%s is an encoding failure', async (_what, coding, bytes) => {
    const field = `Content-Encoding: ${coding}\r\n`;
    const { result } = await ask((socket) => socket.write(httpResponse(bytes, field)));
    expect(result).toMatchObject({ kind: 'failure', failure: 'encoding' });
  });

  test('a bomb is too large, and is not unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(256 * MIB), { level: 9 });
    expect(bomb.length).toBeLessThan(MIB);
    const before = process.memoryUsage().rss;
    const { result, tookMs } = await ask((socket) =>
      socket.write(httpResponse(bomb, 'Content-Encoding: gzip\r\n')),
    );
    expect(result).toMatchObject({ kind: 'failure', failure: 'too-large' });
    expect(tookMs).toBeLessThan(1_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * MIB);
  });
});

describe('failures', () => {
  test('a service that never answers', async () => {
    const { result, tookMs } = await ask(() => undefined, { timeoutMs: 150 });
    expect(result).toMatchObject({ kind: 'failure', failure: 'timeout' });
    expect(tookMs).toBeGreaterThanOrEqual(145);
    expect(tookMs).toBeLessThan(1_000);
  });

  test('a body that drips more slowly than the time allows', async () => {
    const timers: NodeJS.Timeout[] = [];
    const { result, tookMs } = await ask(
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n');
        timers.push(setInterval(() => socket.write('x'), 20));
      },
      { timeoutMs: 200 },
    );
    timers.forEach(clearInterval);
    expect(result).toMatchObject({ kind: 'failure', failure: 'timeout' });
    expect(result.kind === 'failure' && result.message).toMatch(/not complete after 200 ms/);
    expect(tookMs).toBeLessThan(1_000);
  });

  test('headers that drip', async () => {
    const timers: NodeJS.Timeout[] = [];
    const { result, tookMs } = await ask(
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        timers.push(setInterval(() => socket.write('X-A: b\r\n'), 20));
      },
      { timeoutMs: 200 },
    );
    timers.forEach(clearInterval);
    expect(result).toMatchObject({ kind: 'failure', failure: 'timeout' });
    expect(tookMs).toBeLessThan(1_000);
  });

  test.each([
    ['closes at once', (socket: Socket) => socket.end()],
    ['resets', (socket: Socket) => socket.resetAndDestroy()],
    ['closes within the headers', (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nContent-')],
    [
      'closes within a body of known length',
      (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"data"'),
    ],
    [
      'closes within a chunked body',
      (socket: Socket) =>
        socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\n{"data"'),
    ],
    ['does not speak HTTP', (socket: Socket) => socket.end('SSH-2.0-something\r\n')],
    [
      'sends two lengths',
      (socket: Socket) =>
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'),
    ],
  ])('a service that %s', async (_what, answer) => {
    const { result, tookMs } = await ask(answer);
    expect(result).toMatchObject({ kind: 'failure', failure: 'closed' });
    expect(tookMs).toBeLessThan(1_000);
  });

  test('an answer that is not HTTP says so', async () => {
    const { result } = await ask((socket) => socket.end('SSH-2.0-something\r\n'));
    expect(result.kind === 'failure' && result.message).toMatch(/not HTTP/);
  });

  test('nobody listening', async () => {
    const gone = await listenRaw(() => undefined);
    await gone.close();
    const { result } = await ask(() => undefined, { url: `${gone.url}/` });
    expect(result).toMatchObject({ kind: 'failure', failure: 'connect' });
    expect(result.kind === 'failure' && result.message).toMatch(/nothing listens.*ECONNREFUSED/);
  });

  test('a name that does not resolve', async () => {
    const { result } = await ask(() => undefined, { url: 'http://nobody.invalid/' });
    expect(result).toMatchObject({ kind: 'failure', failure: 'connect' });
  });

  test('plain HTTP where TLS was expected', async () => {
    const plain = await listenRaw(() => undefined);
    const { result } = await ask((socket) => socket.end(httpResponse('{}')), {
      url: `${plain.url.replace('http:', 'https:')}/`,
      timeoutMs: 300,
    });
    await plain.close();
    expect(result.kind).toBe('failure');
  });

  test('an endless body is left at the cap', async () => {
    const piece = Buffer.alloc(MIB, 'x');
    let sent = 0;
    const before = process.memoryUsage().rss;
    const { result, tookMs } = await ask(
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n');
        const more = (): void => {
          while (sent < 1024 && !socket.destroyed) {
            sent += 1;
            if (!socket.write(piece)) return;
          }
        };
        socket.on('drain', more);
        more();
      },
      { maxBodyBytes: 8 * MIB },
    );
    expect(result).toMatchObject({ kind: 'failure', failure: 'too-large' });
    expect(tookMs).toBeLessThan(2_000);
    expect(sent).toBeLessThan(64);
    expect(process.memoryUsage().rss - before).toBeLessThan(96 * MIB);
  });

  test('a body of exactly the cap is a response', async () => {
    const { result } = await ask((socket) => socket.write(httpResponse('x'.repeat(100))), {
      maxBodyBytes: 100,
    });
    expect(bodyText(result)).toHaveLength(100);
  });

  test('one request that failed does not spoil the next', async () => {
    let first = true;
    const answer = (socket: Socket): void => {
      if (!first) socket.write(httpResponse('{}'));
      first = false;
    };
    const one = await ask(answer, { timeoutMs: 100 });
    const two = await ask(answer);
    expect(one.result).toMatchObject({ kind: 'failure', failure: 'timeout' });
    expect(bodyText(two.result)).toBe('{}');
  });
});

describe('requests that are not HTTP', () => {
  test.each([
    ['a line break in a field', { headers: [['X-A', 'b\r\nX-C: d']] as const }],
    ['a method of two words', { method: 'GET IT' }],
    ['a space in the path', { path: '/v1/a b' }],
  ])('%s is the fault of the caller', async (_what, request) => {
    const attempt = ask((socket) => socket.write(httpResponse('{}')), request);
    await expect(attempt).rejects.toBeInstanceOf(UnsendableRequest);
    expect(server?.seen).toEqual([]);
  });
});
