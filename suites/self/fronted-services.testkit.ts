import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createSystemClock } from '../../target/budget/clock.ts';
import {
  createReferenceService,
  REFERENCE_DEFAULTS,
} from '../../fixtures/service/reference/index.ts';
import { listen } from '../../fixtures/service/reference/listen.ts';

/** What stands before a service answers in its place; undefined if it lets a request through. */
export type Front = (asked: {
  readonly method: string;
  readonly path: string;
}) => Answer | undefined;

/** A response, or none: the connection stays open, or ends. */
export type Answer =
  | 'silence'
  | {
      readonly status: number;
      readonly body: string;
      readonly headers?: Readonly<Record<string, string>>;
    };

/** A typed error, as section 7 and the contract of the library both have it. */
export function typed(status: number, code: string): Answer {
  const body = JSON.stringify({
    status,
    code,
    message: `it is ${code}`,
    requestId: `r-${Math.random()}`,
  });
  return { status, body, headers: { 'content-type': 'application/json' } };
}

/** A web page. */
export function page(status: number): Answer {
  const body = `<!doctype html><html><title>${status}</title><p>Welcome</html>`;
  return { status, body, headers: { 'content-type': 'text/html' } };
}

function give(answer: Answer, response: ServerResponse): void {
  if (answer === 'silence') {
    response.socket?.destroy();
    return;
  }
  response.writeHead(answer.status, { ...answer.headers }).end(answer.body);
}

/** The reference service behind a front, until the test has finished: options of `assay check`. */
export async function fronted(front: Front): Promise<string[]> {
  const clock = createSystemClock();
  const listening = await listen({
    ...REFERENCE_DEFAULTS,
    seed: 1,
    environment: {
      now: () => clock.nowMs(),
      randomUint32: () => Math.floor(Math.random() * 2 ** 32),
    },
    ...{ host: '127.0.0.1', portBase: 0, singlePort: false },
    create: (options) => {
      const service = createReferenceService(options);
      return {
        close: () => service.close(),
        fetch: (api, request, address) => {
          const path = `${api}${new URL(request.url).pathname}`;
          const answer = front({ method: request.method, path });
          if (answer === undefined) return service.fetch(api, request, address);
          if (answer === 'silence') return new Promise(() => undefined);
          const { status, body, headers } = answer;
          return Promise.resolve(new Response(body, { status, headers: { ...headers } }));
        },
      };
    },
  });
  onTestFinished(() => listening.close());
  const { zap, trade, docs } = listening.urls;
  return ['--zap-url', zap, '--trade-url', trade, '--docs-url', docs];
}

const json = (schema: object): object => ({ content: { 'application/json': { schema } } });
const ERROR = {
  description: 'Why not.',
  ...json({ type: 'object', required: ['code', 'message'] }),
};
const BOOK = { type: 'object', required: ['id', 'title'] };

function operation(operationId: string, status: number, schema: object, more: object = {}): object {
  return {
    operationId,
    ...more,
    responses: { [status]: { description: 'It is so.', ...json(schema) }, default: ERROR },
  };
}

/** The contract of a library with five operations, all below `/v1`. */
const LIBRARY = {
  openapi: '3.1.0',
  info: { title: 'Library', version: '1' },
  paths: {
    '/v1/books': {
      get: operation(
        'list',
        200,
        { type: 'array', items: BOOK },
        {
          parameters: [{ name: 'most', in: 'query', schema: { type: 'integer', minimum: 1 } }],
        },
      ),
      post: operation('add', 201, BOOK, {
        requestBody: {
          required: true,
          ...json({
            type: 'object',
            required: ['title'],
            properties: {
              title: { type: 'string', minLength: 1 },
              pages: { type: 'integer', minimum: 1, maximum: 5_000 },
            },
          }),
        },
      }),
    },
    '/v1/books/{id}': {
      get: operation('read', 200, BOOK, {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      }),
    },
    '/v1/shelves': { get: operation('shelves', 200, { type: 'array' }) },
    '/v1/hours': { get: operation('hours', 200, { type: 'object' }) },
  },
};

function answerOfLibrary(method: string, path: string, isEmpty: boolean): Answer {
  const ok = (status: number, value: unknown): Answer => ({
    status,
    body: JSON.stringify(value),
    headers: { 'content-type': 'application/json' },
  });
  const book = { id: 'b-1', title: 'Ash' };
  if (path === '/v1/books' && method === 'GET') return ok(200, isEmpty ? [] : [book]);
  if (path === '/v1/books' && method === 'POST')
    return ok(201, isEmpty ? { id: '', title: 'x' } : book);
  if (path === '/v1/books/b-1' && method === 'GET' && !isEmpty) return ok(200, book);
  if (path === '/v1/shelves' && method === 'GET') return ok(200, ['fiction']);
  if (path === '/v1/hours' && method === 'GET') return ok(200, { monday: '9-17' });
  return typed(404, 'NOT_FOUND');
}

interface LibraryOptions {
  readonly isEmpty?: boolean;
  /** How long an answer takes; asked for each. */
  readonly delayMs?: () => number;
}

/** The library behind a front, until the test has finished: its base URL. */
export async function libraryBehind(
  front: Front,
  { isEmpty = false, delayMs = () => 0 }: LibraryOptions = {},
): Promise<string> {
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const { method = 'GET', url = '/' } = request;
    const path = url.split('?', 1)[0] ?? '';
    request.resume().on('end', () => {
      const answer = front({ method, path }) ?? answerOfLibrary(method, path, isEmpty);
      setTimeout(() => {
        give(answer, response);
      }, delayMs());
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A folder with a configuration that is for the library at a base URL. */
export function libraryConfig(folder: string, url: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'library.json'), JSON.stringify(LIBRARY));
  const service = { name: 'library', apis: { books: { document: 'library.json', url } } };
  writeFileSync(join(folder, 'assay.config.json'), JSON.stringify({ service }));
  return folder;
}
