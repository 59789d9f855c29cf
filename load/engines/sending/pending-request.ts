import type { ErrorFate } from '../../../contracts/run/load/fates.ts';
import type { FailureKind } from '../../../contracts/wire/exchange.ts';
import { networkFailure, whyUnanswered } from '../../../target/transport/network-failure.ts';
import { type TransportFailure, UnsendableRequest } from '../../../target/transport/transport.ts';
import type { ReadyRequest } from './ready-request.ts';

/** What a request came to, the body still as it was sent. */
export type RequestEnd =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly rawHeaders: readonly Buffer[];
      readonly body: Buffer;
      /** The body was more than the run had room for, and is not there. */
      readonly isUnread?: true;
    }
  | FailedEnd;

/** A request without a whole answer. */
export interface FailedEnd extends TransportFailure {
  /** Of `unsent` the target never heard: this machine or the way failed. */
  readonly fate: ErrorFate | 'unsent';
}

/** Where requests come from, and to which they report their end. */
export interface RequestOwner {
  /** Milliseconds from the start of the run. */
  nowMs(): number;
  readonly maxBodyBytes: number;
  /** Whether there is room for so many bytes more; if so they are held until they are let go. */
  hold(bytes: number): boolean;
  letGo(bytes: number): void;
  /** Called once for each request, at the time of its end, unless it was dropped before. */
  ended(pending: PendingRequest, requestEnd: RequestEnd, endMs: number): void;
  /** Called when a request cannot be put on the wire at all; the target is not to blame. */
  broken(error: unknown): void;
}

/** Which request of the schedule this is, and when it should be sent. */
export interface PendingRequestPlan {
  readonly slot: number;
  readonly step: number;
  readonly client: number;
  readonly dueMs: number;
  /** When its slot was due, of one that came back. */
  readonly firstDueMs?: number;
  /** How often it came back before. */
  readonly cameBack: number;
}

const NOTHING = Buffer.alloc(0);

/**
 * One request on its way. It is the handler that undici calls (`Dispatcher.DispatchHandler`), in the older
 * of its two forms: the newer one parses all header fields into an object first, which nobody looks at.
 */
export class PendingRequest {
  readonly plan: PendingRequestPlan;
  readonly ready: ReadyRequest;
  /** Its number among all that were sent, from 1. */
  readonly number: number;
  readonly calledMs: number;
  /** When it was given to undici; until then it waits for a connection. */
  sentMs: number | undefined;
  wireMs: number | undefined;
  /** When the head of its answer came. */
  firstByteMs: number | undefined;
  /** Whether this machine sent it late, or read what became of it. */
  isLate = false;
  /** Its neighbours in {@link PendingRequests}, which alone writes them. */
  before: PendingRequest | undefined;
  after: PendingRequest | undefined;
  isListed = false;
  readonly #owner: RequestOwner;
  #abort: ((error?: Error) => void) | undefined;
  #status = 0;
  #rawHeaders: readonly Buffer[] = [];
  #only: Buffer | undefined;
  /** Where there is more than one part. */
  #parts: Buffer[] | undefined;
  #length = 0;
  #heldBytes = 0;
  #isUnread = false;
  #hasEnded = false;

  constructor(
    owner: RequestOwner,
    plan: PendingRequestPlan,
    ready: ReadyRequest,
    called: { readonly number: number; readonly calledMs: number },
  ) {
    this.#owner = owner;
    this.plan = plan;
    this.ready = ready;
    this.number = called.number;
    this.calledMs = called.calledMs;
  }

  /** Of the body so far, as they came. */
  get receivedBytes(): number {
    return this.#length;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Its time is over, wherever it stands. */
  expire(timeoutMs: number): void {
    this.#fail('timeout', this.#whatIsThere(timeoutMs), 'timeout');
    this.drop();
  }

  /** Takes it off the wire; if it has not ended yet nothing is reported. */
  drop(): void {
    if (!this.#hasEnded) this.letGo();
    this.#hasEnded = true;
    this.#abort?.(new Error('given up'));
  }

  onConnect(abort: (error?: Error) => void): void {
    this.#abort = abort;
    if (this.#hasEnded) abort(new Error('given up'));
    else this.wireMs = this.#owner.nowMs();
  }

  onHeaders(status: number, rawHeaders: Buffer[]): boolean {
    if (status >= 200) {
      this.firstByteMs = this.#owner.nowMs();
      this.#status = status;
      this.#rawHeaders = rawHeaders;
    }
    return true;
  }

  onData(part: Buffer): boolean {
    if (this.#hasEnded) return true;
    const { maxBodyBytes } = this.#owner;
    this.#length += part.length;
    if (this.#length > maxBodyBytes) {
      this.#fail('too-large', `the body is larger than ${maxBodyBytes} bytes`, 'brokenOff');
      this.drop();
    } else if (!this.#isUnread) {
      this.#keep(part);
    }
    return true;
  }

  #keep(part: Buffer): void {
    if (!this.#owner.hold(part.length)) {
      // The rest is read all the same: the target is not to wait for this machine.
      this.#isUnread = true;
      this.#parts = this.#only = undefined;
      this.letGo();
      return;
    }
    this.#heldBytes += part.length;
    if (this.#only === undefined) this.#only = part;
    else (this.#parts ??= [this.#only]).push(part);
  }

  /** Its body is not needed any more. */
  letGo(): void {
    if (this.#heldBytes > 0) this.#owner.letGo(this.#heldBytes);
    this.#heldBytes = 0;
  }

  onComplete(): void {
    const body =
      this.#parts === undefined
        ? (this.#only ?? NOTHING)
        : Buffer.concat(this.#parts, this.#length);
    const unread = this.#isUnread ? ({ isUnread: true } as const) : {};
    const [status, rawHeaders] = [this.#status, this.#rawHeaders];
    this.#end({ kind: 'response', status, rawHeaders, body, ...unread });
  }

  /** No whole answer was received. */
  onError(error: Error): void {
    const code = 'code' in error ? error.code : undefined;
    if (code === 'UND_ERR_INVALID_ARG' || code === 'UND_ERR_NOT_SUPPORTED') {
      this.#owner.broken(new UnsendableRequest(this.ready.redacted().sent.request, error.message));
      return;
    }
    this.#end(failureOf(error, this.#status !== 0));
  }

  #whatIsThere(timeoutMs: number): string {
    if (this.#status !== 0) {
      return `the response was not complete after ${timeoutMs} ms (${this.#length} bytes of the body)`;
    }
    if (this.wireMs === undefined) return `no connection was free within ${timeoutMs} ms`;
    const waitedMs = Math.round((this.sentMs ?? this.calledMs) - this.calledMs);
    const waited = waitedMs === 0 ? '' : `, ${waitedMs} of which it waited for a connection`;
    return `no response after ${timeoutMs} ms${waited}`;
  }

  #fail(failure: FailureKind, message: string, fate: ErrorFate): void {
    this.#end({ kind: 'failure', failure, message, fate });
  }

  #end(requestEnd: RequestEnd): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#parts = this.#only = undefined;
    if (requestEnd.kind === 'failure') this.letGo();
    this.#owner.ended(this, requestEnd, this.#owner.nowMs());
  }
}

/** What an error of the network makes of a request. */
export function failureOf(error: Error, isBegun: boolean): FailedEnd {
  const failure = networkFailure(error, isBegun);
  const why = failure.failure === 'machine' ? 'way' : whyUnanswered(error);
  return { ...failure, fate: why === 'way' ? 'unsent' : isBegun ? 'brokenOff' : why };
}
