import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import {
  createServer as createTcpServer,
  type AddressInfo,
  type Server,
  type Socket,
} from 'node:net';
import { onTestFinished } from 'vitest';

/** What a server that is no such service at all may do. */
export type Misbehaviour =
  | 'html'
  | 'half-json'
  | 'empty-object'
  | 'plain-500'
  | 'redirect'
  | 'never-answers'
  | 'closes-at-once'
  | 'not-http'
  | 'gigabyte';

const MEGABYTE = Buffer.alloc(1_048_576, 'a');
const JSON_TYPE = { 'content-type': 'application/json' };

const HTTP: Partial<Record<Misbehaviour, RequestListener>> = {
  html: (_, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>'),
  'half-json': (_, response) =>
    response.writeHead(200, JSON_TYPE).end('{"status":"success","data":{'),
  'empty-object': (_, response) => response.writeHead(200, JSON_TYPE).end('{}'),
  'plain-500': (_, response) =>
    response.writeHead(500, { 'content-type': 'text/plain' }).end('Error: boom'),
  redirect: (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
  'never-answers': () => undefined,
  gigabyte: (_, response) => {
    response.writeHead(200, JSON_TYPE);
    sendMegabytes(response, 1_024);
  },
};

const TCP: Partial<Record<Misbehaviour, (socket: Socket) => void>> = {
  'closes-at-once': (socket) => socket.destroy(),
  'not-http': (socket) => socket.end('SSH-2.0-hello\r\n'),
};

function sendMegabytes(response: ServerResponse, count: number): void {
  if (count === 0) response.end();
  else if (response.write(MEGABYTE)) sendMegabytes(response, count - 1);
  else
    response.once('drain', () => {
      sendMegabytes(response, count - 1);
    });
}

/** Listens until the test has finished; the result is its URL. */
export async function misbehave(how: Misbehaviour): Promise<string> {
  const sockets = new Set<Socket>();
  const server: Server =
    HTTP[how] === undefined ? createTcpServer(TCP[how]) : createServer(HTTP[how]);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    // The other side may go at any time.
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
