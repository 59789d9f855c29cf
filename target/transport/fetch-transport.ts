import type { HeaderList } from '../../contracts/wire/exchange.ts';
import { decodeContent } from './content-encoding.ts';
import { LightResponse } from './light-fetch.ts';
import { failed, UnsendableRequest, type OutgoingRequest, type Transport } from './transport.ts';

/** What a service in the same process is given besides the request, as its listener would know it. */
export interface PeerInfo {
  /** The address that the request comes from. */
  readonly sourceAddress: string;
}

/** A service as a function of the same process. */
export type ServiceFunction = (request: Request, peer: PeerInfo) => Promise<Response> | Response;

const EXPIRED = Symbol('expired');

/**
 * Requests straight into a service function, without sockets. Time and size are held as over
 * sockets; a service that throws counts as `closed`, since its listener would drop the connection.
 * What the Fetch standard cannot express (a body on GET, the method TRACE) is an
 * {@link UnsendableRequest}.
 */
export function fromFetch(service: ServiceFunction): Transport {
  return async (request) => {
    const incoming = requestOf(request);
    let timer: NodeJS.Timeout | undefined;
    const expired = new Promise<typeof EXPIRED>((resolve) => {
      timer = setTimeout(resolve, request.timeoutMs, EXPIRED);
    });
    try {
      const peer = { sourceAddress: request.sourceAddress ?? '127.0.0.1' };
      request.onDeparture?.();
      // The race leaves a late service to itself; its rejection must not go unhandled.
      const answer = Promise.resolve().then(() => service(incoming, peer));
      answer.catch(() => undefined);
      const response = await Promise.race([answer, expired]);
      if (response === EXPIRED)
        return failed('timeout', `no response after ${request.timeoutMs} ms`);
      const headers: HeaderList = [...response.headers];
      const body = await readBody(response, request.maxBodyBytes, expired);
      if (body === EXPIRED) {
        return failed('timeout', `the response was not complete after ${request.timeoutMs} ms`);
      }
      if (body === null) {
        return failed('too-large', `the body is larger than ${request.maxBodyBytes} bytes`);
      }
      const decoded = await decodeContent(headers, body, request.maxBodyBytes);
      if (decoded.kind === 'failure') return decoded;
      return { kind: 'response', status: response.status, headers, body: decoded.body };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return failed('closed', `the service broke off: ${why}`);
    } finally {
      clearTimeout(timer);
    }
  };
}

function requestOf(request: OutgoingRequest): Request {
  try {
    return new Request(request.url, {
      method: request.method,
      headers: request.headers.map(([name, value]): [string, string] => [name, value]),
      body: request.body,
    });
  } catch (error) {
    throw new UnsendableRequest(request, error instanceof Error ? error.message : String(error));
  }
}

/** The bytes of a body, or null when they pass the cap. */
async function readBody(
  response: Response,
  maxBodyBytes: number,
  expired: Promise<typeof EXPIRED>,
): Promise<Uint8Array | null | typeof EXPIRED> {
  if (response.body === null) return new Uint8Array();
  if (response instanceof LightResponse) {
    const bytes = response.body.takeBytes();
    return bytes.length > maxBodyBytes ? null : bytes;
  }
  const reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const read = reader.read();
    const step = await Promise.race([read, expired]);
    if (step === EXPIRED) {
      read.catch(() => undefined);
      void reader.cancel().catch(() => undefined);
      return EXPIRED;
    }
    if (step.done) return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
    length += step.value.length;
    if (length > maxBodyBytes) {
      void reader.cancel().catch(() => undefined);
      return null;
    }
    chunks.push(step.value);
  }
}
