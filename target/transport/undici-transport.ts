import { isIP } from 'node:net';
import type { Dispatcher } from 'undici';
import { headerOf, type HeaderList } from '../../contracts/wire/exchange.ts';
import {
  type Agents,
  createAgents,
  headerPairs,
  splitUrl,
  type UndiciTransportOptions,
} from './agents.ts';
import type { Proxies } from '../config/proxies.ts';
import { decodeContent } from './content-encoding.ts';
import { networkFailure } from './network-failure.ts';
import {
  failed,
  UnsendableRequest,
  type OutgoingRequest,
  type Transport,
  type TransportResult,
} from './transport.ts';

export { useForFetch, type UndiciTransportOptions } from './agents.ts';
export { proxiesOf, type Proxies } from '../config/proxies.ts';

/** A transport over sockets. Close it, or its idle connections keep the process alive. */
export type UndiciTransport = Transport & { close(): Promise<void> };

/**
 * Requests over sockets, connections kept alive. One request is one exchange: redirects are answers,
 * nothing is sent twice, and bodies are read no further than the cap.
 */
export function createUndiciTransport(options: UndiciTransportOptions = {}): UndiciTransport {
  const agents = createAgents(options);
  const { proxies } = options;

  const transport: Transport = async (request) => {
    const result = await exchange(agents, request);
    request.onArrival?.();
    if (result.kind === 'failure') return result;
    const refusal = proxies && proxyRefusal(request.url, result, proxies);
    if (refusal !== undefined) return refusal;
    const decoded = await decodeContent(result.headers, result.body, request.maxBodyBytes);
    return decoded.kind === 'failure' ? decoded : { ...result, body: decoded.body };
  };
  return Object.assign(transport, {
    close: (): Promise<void> => agents.close(),
  });
}

/** RFC 9110 section 15.5.8. */
const PROXY_WANTS_CREDENTIALS = 407;
/** What a proxy answers itself if the target gave it nothing (RFC 9110 sections 15.6.3 to 15.6.5). */
const GATEWAY_STATUSES: readonly number[] = [502, 503, 504];

/**
 * What an answer that came by a proxy is when the proxy itself gave it: a failure; else undefined. Where the target is
 * asked by https, what comes through is the target's. Else Proxy-Status (RFC 9209) says: its last member is of the
 * proxy that is nearest. That may be one in front of the target, as others need not say anything. It is the one asked
 * if it names itself as the environment does.
 */
export function proxyRefusal(
  url: string,
  answer: { readonly kind: string; readonly status?: number; readonly headers?: HeaderList },
  { httpProxy = '' }: Proxies,
): Extract<TransportResult, { kind: 'failure' }> | undefined {
  const { status = 0, headers = [] } = answer;
  if (status === PROXY_WANTS_CREDENTIALS) {
    const message =
      'the proxy asks for credentials (407); give them in the URL of HTTP_PROXY or HTTPS_PROXY';
    return { kind: 'failure', failure: 'connect', message };
  }
  if (!GATEWAY_STATUSES.includes(status) || url.startsWith('https:')) return undefined;
  const proxyStatus =
    headers.filter(([name]) => name.toLowerCase() === 'proxy-status').at(-1)?.[1] ?? '';
  // Quoted text may hold commas, and words that look like parameters.
  const plain = proxyStatus.replace(/"(?:[^"\\]|\\.)*"/g, (text) => text.replace(/[,;=]/g, ' '));
  const nearest = plain.split(',').at(-1) ?? '';
  const name = /^\s*"?([^\s;"]+)/.exec(nearest)?.[1] ?? '';
  const why = /;\s*error=([\w-]+)/.exec(nearest)?.[1];
  if (why === undefined || !isNameOf(name, httpProxy)) return undefined;
  const message = `the proxy answered ${status} itself: ${why}`;
  return { kind: 'failure', failure: 'connect', message };
}

/** Whether a proxy that names itself so is the one at a URL: by its host, with or without port or domain. */
function isNameOf(name: string, url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { host, hostname } = new URL(url);
  const label = isIP(hostname) === 0 ? hostname.split('.', 1) : [];
  return [host, hostname, ...label].includes(name.toLowerCase());
}

/** Sends one request and collects the response, its body still encoded. */
function exchange(agents: Agents, request: OutgoingRequest): Promise<TransportResult> {
  return new Promise((resolve, reject) => {
    const collector = new Collector(request, (result) => {
      clearTimeout(timer);
      if (result instanceof Error) reject(result);
      else resolve(result);
    });
    const timer = setTimeout(() => {
      // What came while this process stood still is read first.
      setImmediate(() => {
        collector.expire();
      });
    }, request.timeoutMs);
    const { origin, path } = splitUrl(request.url);
    try {
      agents.from(request.sourceAddress, origin).dispatch(
        {
          origin,
          path,
          method: request.method,
          headers: request.headers.flat(),
          body: request.body,
        },
        collector,
      );
    } catch (error) {
      collector.onResponseError(undefined, error as Error);
    }
  });
}

/** A stream of events may never end: what came in this time is its body. */
const READ_OF_A_STREAM_MS = 1_000;
const STREAM = /^(?:text\/event-stream|application\/(?:x-ndjson|stream\+json))\b/i;

/** Whether an answer may go on without end, and be right; one that is coded cannot be read in part. */
function isEndless(headers: HeaderList): boolean {
  const type = headerOf(headers, 'content-type') ?? '';
  return STREAM.test(type) && headerOf(headers, 'content-encoding') === undefined;
}

/** Gathers one response until it ends, fails, passes the cap or runs out of time. */
class Collector implements Dispatcher.DispatchHandler {
  readonly #request: OutgoingRequest;
  readonly #settle: (result: TransportResult | UnsendableRequest) => void;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #length = 0;
  #status = 0;
  #headers: HeaderList = [];
  #streaming: NodeJS.Timeout | undefined;
  #done = false;

  constructor(
    request: OutgoingRequest,
    settle: (result: TransportResult | UnsendableRequest) => void,
  ) {
    this.#request = request;
    this.#settle = settle;
  }

  /** The time of the exchange is over, wherever it stands. */
  expire(): void {
    if (this.#done) return;
    if (isEndless(this.#headers)) {
      this.onResponseEnd();
      this.#controller?.abort(new Error('read for long enough'));
      return;
    }
    const begun = this.#status !== 0;
    this.#giveUp(
      failed(
        'timeout',
        begun
          ? `the response was not complete after ${this.#request.timeoutMs} ms (${this.#length} bytes of the body)`
          : `no response after ${this.#request.timeoutMs} ms`,
      ),
    );
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // The time ran out while the connection was still being made.
    if (this.#done) controller.abort(new Error('given up'));
    else this.#request.onDeparture?.();
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headerPairs(controller.rawHeaders);
    if (!isEndless(this.#headers)) return;
    this.#streaming = setTimeout(() => {
      this.expire();
    }, READ_OF_A_STREAM_MS);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#done) return;
    this.#length += chunk.length;
    if (this.#length > this.#request.maxBodyBytes) {
      const message = `the body is larger than ${this.#request.maxBodyBytes} bytes`;
      this.#giveUp(failed('too-large', message));
      return;
    }
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#finish({
      kind: 'response',
      status: this.#status,
      headers: this.#headers,
      body: Buffer.concat(this.#chunks, this.#length),
    });
  }

  onResponseError(_controller: unknown, error: Error): void {
    const code = 'code' in error ? error.code : undefined;
    this.#finish(
      code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED'
        ? new UnsendableRequest(this.#request, error.message)
        : networkFailure(error, this.#status !== 0),
    );
  }

  #giveUp(result: TransportResult): void {
    this.#finish(result);
    this.#controller?.abort(new Error('given up'));
  }

  #finish(result: TransportResult | UnsendableRequest): void {
    if (this.#done) return;
    this.#done = true;
    clearTimeout(this.#streaming);
    if (result instanceof Error || result.kind === 'failure') this.#chunks.length = 0;
    this.#settle(result);
  }
}
