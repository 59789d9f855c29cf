import type { Client } from 'autocannon';
import type { FailureKind } from '../../../contracts/wire/exchange.ts';

/** Why no whole answer was received. */
export type Loss = Extract<FailureKind, 'closed' | 'timeout' | 'too-large'>;

/** What one connection of autocannon tells while it works. */
export interface ConnectionListener {
  /** The next request goes out. */
  sends(sentMs: number): void;
  /** The one that went out last will have no answer. */
  loses(why: Loss): void;
}

/** What a connection keeps to. */
export interface ConnectionLimits {
  readonly maxBodyBytes: number;
  readonly timeoutMs: number;
  readonly nowMs: () => number;
}

/** What autocannon's client has besides what its types tell; version 9, looked up there. */
interface Inside {
  on(event: 'request' | 'body' | 'done', listener: () => void): void;
  readonly conn: { destroy(error: Error): void };
  readonly parser: { initialize(type: 'RESPONSE'): void };
  readonly pipelinedRequests: { clear(): void; peek(): { readonly body: string } | undefined };
  /** Milliseconds. */
  timeout: number;
  responseMax: number;
  readonly reqsMade: number;
  destroy(): void;
}

/**
 * One connection of autocannon. When a connection ends before the answer autocannon sends the next
 * request on a new one, and takes its answer for that to the lost one, and so on from there. So a loss
 * is noticed here, before the next request goes out, and what waits for the old answer is forgotten.
 */
export class Connection {
  readonly #inside: Inside;
  readonly #listener: ConnectionListener;
  readonly #maxBodyBytes: number;
  readonly #nowMs: () => number;
  /** When the request left that waits for its answer. */
  #sentMs: number | undefined;
  #isTooLarge = false;
  #isOver = false;

  constructor(
    client: Client,
    listener: ConnectionListener,
    { maxBodyBytes, timeoutMs, nowMs }: ConnectionLimits,
  ) {
    this.#inside = client as unknown as Inside;
    // Its option takes whole seconds.
    this.#inside.timeout = timeoutMs;
    this.#listener = listener;
    this.#maxBodyBytes = maxBodyBytes;
    this.#nowMs = nowMs;
    const on = this.#inside.on.bind(client);
    on('request', () => {
      this.#sends();
    });
    on('body', () => {
      this.#reads();
    });
    on('done', () => {
      this.#loses();
    });
  }

  /** To be called with each answer, before autocannon sends the next request. */
  answered(): void {
    this.#sentMs = undefined;
  }

  /** Sends nothing more; what is on its way may come in. */
  finish(): void {
    if (this.#sentMs === undefined) this.abandon();
    else this.#inside.responseMax = this.#inside.reqsMade;
  }

  /** Ends at once: what follows on this connection cannot be distinguished any more. */
  abandon(): void {
    // autocannon goes through the motions of one more request.
    this.#isOver = true;
    this.#inside.destroy();
  }

  #sends(): void {
    if (this.#isOver) return;
    this.#loses();
    this.#sentMs = this.#nowMs();
    this.#listener.sends(this.#sentMs);
  }

  #loses(): void {
    if (this.#sentMs === undefined) return;
    const isLate = this.#nowMs() - this.#sentMs >= this.#inside.timeout;
    const why = this.#isTooLarge ? 'too-large' : isLate ? 'timeout' : 'closed';
    this.#isTooLarge = false;
    this.answered();
    this.#inside.pipelinedRequests.clear();
    this.#inside.parser.initialize('RESPONSE');
    this.#listener.loses(why);
  }

  #reads(): void {
    const body = this.#inside.pipelinedRequests.peek()?.body ?? '';
    if (this.#isTooLarge || body.length <= this.#maxBodyBytes) return;
    this.#isTooLarge = true;
    this.#inside.conn.destroy(new Error('the answer is too large'));
  }
}
