import type { Client } from 'autocannon';
import type { FailureKind } from '../../../contracts/wire/exchange.ts';
import { networkFailure } from '../../../fixtures/target/transport/network-failure.ts';

/** Why no whole answer was received. */
export type Loss = Extract<FailureKind, 'closed' | 'timeout' | 'too-large' | 'machine'>;

/** What one connection of autocannon tells while it works. */
export interface ConnectionListener {
  /** The next request goes out. */
  sends(sentMs: number): void;
  /** The one that went out last will have no answer; of `machine` in words. */
  loses(why: Loss, words?: string): void;
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
  on(event: 'connError', listener: (error: unknown) => void): void;
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
  /** What this machine lacked for the connection that was wanted last. */
  #machine: string | undefined;
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
    const on: Inside['on'] = this.#inside.on.bind(client);
    on('request', () => {
      this.#sends();
    });
    on('body', () => {
      this.#reads();
    });
    on('connError', (error: unknown) => {
      const failure = error instanceof Error ? networkFailure(error, false) : undefined;
      if (failure?.kind === 'failure' && failure.failure === 'machine') {
        this.#machine = failure.message;
      }
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
    const machine = this.#machine;
    const ofTarget = this.#isTooLarge ? 'too-large' : isLate ? 'timeout' : 'closed';
    this.#isTooLarge = false;
    this.#machine = undefined;
    this.answered();
    this.#inside.pipelinedRequests.clear();
    this.#inside.parser.initialize('RESPONSE');
    if (machine === undefined) this.#listener.loses(ofTarget);
    else this.#listener.loses('machine', machine);
  }

  #reads(): void {
    const body = this.#inside.pipelinedRequests.peek()?.body ?? '';
    if (this.#isTooLarge || body.length <= this.#maxBodyBytes) return;
    this.#isTooLarge = true;
    this.#inside.conn.destroy(new Error('the answer is too large'));
  }
}
