import type { FailureKind, HeaderList } from '../../contracts/wire/exchange.ts';

/** A request on its way out, credentials in clear. */
export interface OutgoingRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: HeaderList;
  readonly body: Uint8Array | null;
  /** Until the whole response is in. */
  readonly timeoutMs: number;
  /** Cap on the response body after decoding; more is a `too-large` failure. */
  readonly maxBodyBytes: number;
  /** Local address to send from, e.g. `127.0.0.2`; the system's choice when absent. */
  readonly sourceAddress?: string;
  /** Called when the request leaves, its connection being there; not at all when it never does. */
  readonly onDeparture?: () => void;
  /** Called when all of the answer is there, before it is decoded, which may have to wait. */
  readonly onArrival?: () => void;
}

/** What came back, body decoded from its content-encoding. */
export type TransportResult =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly headers: HeaderList;
      readonly body: Uint8Array;
    }
  | TransportFailure;

/** Why nothing, or no whole response, came back. */
export interface TransportFailure {
  readonly kind: 'failure';
  readonly failure: FailureKind;
  readonly message: string;
}

/**
 * How a request reaches the target: over sockets, or straight into a service function in the same
 * process. Whatever the network or the target does is a result, never a rejection. It rejects with
 * {@link UnsendableRequest} alone: then nothing was sent, and the target is not to blame.
 */
export type Transport = (request: OutgoingRequest) => Promise<TransportResult>;

const MAX_CHARACTERS = 500;

/** Thrown when a request cannot be put on the wire at all, e.g. a line break in a header value. */
export class UnsendableRequest extends Error {
  override readonly name = 'UnsendableRequest';

  constructor(request: Pick<OutgoingRequest, 'method' | 'url'>, why: string) {
    // The target or a contract chose it: one line without control characters.
    const message = `${request.method} ${request.url} cannot be sent: ${why}`;
    super(message.slice(0, MAX_CHARACTERS).replaceAll(/\p{Cc}/gu, '?'));
  }
}

/** A failure result. */
export function failed(failure: FailureKind, message: string): TransportFailure {
  return { kind: 'failure', failure, message };
}
