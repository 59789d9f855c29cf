import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { FAULTS } from '../../../fixtures/service/faults/catalogue.ts';
import { createReferenceService } from '../../../fixtures/service/reference/index.ts';
import { parseLimit } from '../../../fixtures/service/reference/limits.ts';
import { REFERENCE_DEFAULTS } from '../../../fixtures/service/reference/options.ts';
import type { ReferenceService } from '../../../fixtures/service/reference/service.ts';
import type { Environment } from '../../../fixtures/service/reference/model.ts';
import type { Answer, Asked } from './asked.ts';
import { PLANTED_KEY } from './planted-key.ts';
import { BEHAVIOURS, requireKnown } from './catalogue.ts';
import { HOST_NAMES, type HostileSpec, type HostileUrls, type HostName } from './hostile.ts';
import type { HostileReport, Seen, Spoil } from './hostile.ts';

/** A hostile service that listens. */
export interface HostileService {
  readonly urls: HostileUrls;
  /** What became of it so far. */
  report(): HostileReport;
  close(): Promise<void>;
}

/** The trap has an address of its own: another host, on which no client has business. */
const ADDRESSES: Partial<Record<HostName, string>> = { trap: '127.0.0.2' };
const TARGETS: readonly HostName[] = ['zap', 'trade', 'docs'];
/** Of what is seen, so many are kept. */
const MAX_SEEN = 100_000;

/**
 * Opens a hostile service on free loopback ports.
 *
 * @throws Error when the specification names what the catalogues do not have
 */
export async function openHostile(
  spec: HostileSpec,
  environment: Environment,
): Promise<HostileService> {
  for (const spoil of spec.spoils) requireKnown(spoil);
  const faults: string[] = [];
  const seen: Seen[] = [];
  const sockets = new Set<Socket>();
  const servers = await Promise.all(
    HOST_NAMES.map((host) => openServer(ADDRESSES[host] ?? '127.0.0.1', sockets)),
  );
  const prefix = spec.prefix ?? '';
  const urls = Object.fromEntries(
    HOST_NAMES.map((host, index) => {
      const { address, port } = servers[index]?.address() as AddressInfo;
      return [host, `http://${address}:${port}${prefix}`];
    }),
  ) as HostileUrls;
  const service = referenceOf(spec, urls, environment);
  const counts = new Map<Spoil, number>();
  for (const [index, host] of HOST_NAMES.entries()) {
    servers[index]?.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const { method = 'GET', url = '/', headers } = request;
      const { authorization } = headers;
      const entry = { host, method, url, atMs: Date.now() };
      if (seen.length < MAX_SEEN)
        seen.push(authorization === undefined ? entry : { ...entry, authorization });
      const body = bodyOf(request);
      const reference = async (): Promise<Answer> => answerOf(service, host, request, await body);
      const socket = request.socket;
      const asked = { host, method, url, request, response, socket, urls, reference };
      void answer(spec, asked, counts, prefix).catch((error: unknown) => {
        socket.destroy();
        // The other side may be gone before the answer; that is no fault.
        if (!(error instanceof Error && 'code' in error)) faults.push(String(error));
      });
    });
  }
  return {
    urls,
    report: () => ({ seen, spoilt: sumOf(counts), faults }),
    close: async () => {
      for (const server of servers) server.close();
      for (const socket of sockets) socket.destroy();
      await service.close();
    },
  };
}

/** How often spoils were answered by, those that take turns with the reference included. */
function sumOf(counts: ReadonlyMap<Spoil, number>): number {
  return [...counts].reduce((sum, [{ every = 1 }, count]) => sum + Math.floor(count / every), 0);
}

async function openServer(address: string, sockets: Set<Socket>): Promise<Server> {
  const server = createServer({ requireHostHeader: false, keepAliveTimeout: 30_000 });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    // The other side may go at any time.
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('clientError', (_, socket) => socket.destroy());
  server.listen(0, address);
  await once(server, 'listening');
  return server;
}

function referenceOf(
  spec: HostileSpec,
  urls: HostileUrls,
  environment: Environment,
): ReferenceService {
  const limit = spec.limit === undefined ? null : parseLimit(spec.limit);
  const seed = 1;
  const service = createReferenceService({
    ...REFERENCE_DEFAULTS,
    seed,
    environment,
    baseUrls: urls,
    limits: { zap: limit, trade: limit, tradeKey: limit },
    apiKeys: [PLANTED_KEY],
  });
  if (spec.fault === undefined) return service;
  const fault = FAULTS.find(({ id }) => id === spec.fault);
  if (fault === undefined) throw new Error(`there is no fault "${spec.fault}"`);
  return fault.apply(service, seed);
}

/** The first spoil that concerns the request answers it; else the reference service does. */
async function answer(
  { spoils }: HostileSpec,
  asked: Omit<Asked, 'count'>,
  counts: Map<Spoil, number>,
  prefix: string,
): Promise<void> {
  let reference: Promise<Answer> | undefined;
  const known = (): Promise<Answer> => (reference ??= asked.reference());
  for (const spoil of spoils) {
    if (!concerns(spoil, asked, prefix)) continue;
    if (spoil.only !== undefined) {
      const { status } = await known();
      if ((spoil.only === 'success') !== (status >= 200 && status < 300)) continue;
    }
    const count = (counts.get(spoil) ?? 0) + 1;
    counts.set(spoil, count);
    if (count % (spoil.every ?? 1) !== 0) continue;
    if (spoil.delayMs !== undefined) {
      await new Promise((resolve) => setTimeout(resolve, spoil.delayMs));
    }
    const behaviour = BEHAVIOURS[spoil.how];
    await behaviour?.({ ...asked, count, reference: known }, spoil);
    return;
  }
  const { status, headers, body } = await known();
  asked.response.writeHead(
    status,
    headers.flatMap(([name, value]) => [name, value]),
  );
  asked.response.end(body);
}

function concerns(
  { api = TARGETS, path = '' }: Spoil,
  asked: Omit<Asked, 'count'>,
  prefix: string,
): boolean {
  return [api].flat().includes(asked.host) && asked.url.startsWith(`${prefix}${path}`);
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function answerOf(
  service: ReferenceService,
  host: HostName,
  { method = 'GET', url = '/', headers }: IncomingMessage,
  body: Buffer,
): Promise<Answer> {
  if (host === 'contract' || host === 'trap') {
    const nothing = { status: 404, headers: [['content-type', 'application/json']] as const };
    return { ...nothing, body: Buffer.from('{}') };
  }
  const fields = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, [value].flat().join(', ')]],
  );
  const request = new Request(new URL(url, 'http://127.0.0.1'), {
    method: method === 'TRACE' || method === 'CONNECT' ? 'GET' : method,
    headers: fields.filter(
      ([name]) => !/^(?:connection|transfer-encoding|expect|upgrade|keep-alive)$/.test(name),
    ),
    ...(body.length === 0 || method === 'GET' || method === 'HEAD'
      ? {}
      : { body: new Uint8Array(body) }),
  });
  const response = await service.fetch(host, request, '127.0.0.1');
  return {
    status: response.status,
    headers: [...response.headers],
    body: Buffer.from(await response.arrayBuffer()),
  };
}
