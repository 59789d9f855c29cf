import type { Client } from 'autocannon';
import type { ErrorFate } from '../../../contracts/run/load/fates.ts';
import type { FailureKind } from '../../../contracts/wire/exchange.ts';
import {
  networkFailure,
  whyUnanswered,
} from '../../../fixtures/target/transport/network-failure.ts';

/** Why no whole answer was received. */
export type Loss = Extract<FailureKind, 'closed' | 'timeout' | 'too-large'>;

/** What one connection of autocannon tells while it works. */
export interface ConnectionListener {
  /** The next request goes out. */
  sends(sentMs: number): void;
  /** The one that went out last will have no whole answer. */
  loses(why: Loss, fate: ErrorFate): void;
  /** The one that went out last never reached the target, for a reason in words. */
  unsent(why: string, isWay: boolean): void;
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
  /** What kept the connection from being made that was wanted last. */
  #unmade: Error | undefined;
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
      if (error instanceof Error) this.#unmade = error;
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
    const loss = this.#isTooLarge ? 'too-large' : isLate ? 'timeout' : 'closed';
    const isBegun = (this.#inside.pipelinedRequests.peek()?.body ?? '') !== '';
    const unmade = this.#unmade;
    this.#isTooLarge = false;
    this.#unmade = undefined;
    this.answered();
    this.#inside.pipelinedRequests.clear();
    this.#inside.parser.initialize('RESPONSE');
    const failure = unmade === undefined ? undefined : networkFailure(unmade, false);
    const isMachine = failure?.kind === 'failure' && failure.failure === 'machine';
    const why = unmade === undefined ? 'reset' : whyUnanswered(unmade);
    if (failure?.kind === 'failure' && (isMachine || why === 'way')) {
      this.#listener.unsent(failure.message, !isMachine);
    } else if (isBegun) this.#listener.loses(loss, 'brokenOff');
    else this.#listener.loses(loss, isLate || why === 'way' ? 'timeout' : why);
  }

  #reads(): void {
    const body = this.#inside.pipelinedRequests.peek()?.body ?? '';
    if (this.#isTooLarge || body.length <= this.#maxBodyBytes) return;
    this.#isTooLarge = true;
    this.#inside.conn.destroy(new Error('the answer is too large'));
  }
}
