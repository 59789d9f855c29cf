import type { Client, Request } from 'autocannon';
import type { FailureKind } from '../../../contracts/wire/exchange.ts';
import type { LoadJob } from '../../engine.ts';
import type { Sent } from '../sending/answers.ts';
import { failureOf, type RequestEnd } from '../sending/pending-request.ts';
import type { ReadyRequest } from '../sending/ready-request.ts';

/** The part of a run that goes to one origin. */
export interface OriginShare {
  readonly origin: string;
  /** The slots whose requests go there, in order. */
  readonly slots: readonly number[];
  readonly connections: number;
}

/** What the connections of a run share. */
export interface SaturationMeans {
  readonly job: LoadJob;
  /** What goes out for a slot, and who sends it. */
  readonly built: (slot: number) => Built;
  /** Milliseconds from the start of the run. */
  readonly nowMs: () => number;
  /** Whether this thread stood still just before now, so that the other end may have closed any connection. */
  readonly mayBeClosed: () => boolean;
  /** The number of the next request that is sent, from 1. */
  readonly nextNumber: () => number;
  /** Takes what a request came to; what is not whole is not judged. */
  readonly ended: (underWay: Sent, requestEnd: RequestEnd, isWhole: boolean) => void;
}

/** A request that is ready, and who sends it. */
export interface Built {
  readonly ready: ReadyRequest;
  readonly client: number;
}

/** What autocannon's client has besides what its types state; version 9, looked up there. */
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
 * Requests are built before the clock starts, so many at most; then the first ones come again, with the
 * Idempotency-Keys that they had.
 */
const MAX_BUILT = 4_000;
/** What a body has that was not text, or was cut in the middle of a character. */
const UNREADABLE = '\ufffd';
const NOTHING = Buffer.alloc(0);

/**
 * One connection of autocannon and the slots that it sends: every n-th of the share, if there are n
 * connections. When a connection ends before the answer autocannon sends the next request on a new one,
 * and takes its answer for that to the lost one, and so on from there. So a loss is noticed here, before
 * the next request goes out, and what waits for the old answer is forgotten.
 */
export class Lane {
  readonly #inside: Inside;
  readonly #first: number;
  readonly #share: OriginShare;
  readonly #means: SaturationMeans;
  readonly #built: readonly Built[];
  /** How many it has sent. */
  #sent = 0;
  /** What waits for its answer. */
  #underWay: Sent | undefined;
  /** Whether the connection may have been closed before that was sent. */
  #mayBeClosed = false;
  #isTooLarge = false;
  /** What kept the connection from being made that was wanted last. */
  #unmade: Error | undefined;
  #isOver = false;

  /** @param first the place in the share of its first slot */
  constructor(client: Client, first: number, share: OriginShare, means: SaturationMeans) {
    this.#first = first;
    this.#share = share;
    this.#means = means;
    const { slots, connections } = share;
    const most = Math.max(1, Math.floor(MAX_BUILT / connections));
    const own = Math.ceil((slots.length - first) / connections);
    this.#built = Array.from({ length: Math.min(most, own) }, (_, at) =>
      means.built(this.#slotAt(at)),
    );
    client.setRequests(this.#built.map(({ ready }) => this.#requestOf(ready)));
    this.#inside = client as unknown as Inside;
    // Its option takes whole seconds.
    this.#inside.timeout = means.job.timeoutMs;
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

  /** Sends nothing more; what is on its way may come in. */
  finish(): void {
    if (this.#underWay === undefined) this.#abandon();
    else this.#inside.responseMax = this.#inside.reqsMade;
  }

  /** Ends at once: what follows on this connection cannot be distinguished any more. */
  #abandon(): void {
    // autocannon goes through the motions of one more request.
    this.#isOver = true;
    this.#inside.destroy();
  }

  #slotAt(at: number): number {
    return this.#share.slots[this.#first + at * this.#share.connections] ?? 0;
  }

  #requestOf({ outgoing, path }: ReadyRequest): Request {
    return {
      method: outgoing.method as NonNullable<Request['method']>,
      path,
      headers: Object.fromEntries(outgoing.headers),
      ...(outgoing.body === null ? {} : { body: Buffer.from(outgoing.body) }),
      onResponse: (status, body, _context, headers) => {
        this.#answered(status, body, headers ?? {});
      },
    };
  }

  #sends(): void {
    if (this.#isOver) return;
    this.#loses();
    const built = this.#built[this.#sent % this.#built.length];
    if (built === undefined) return;
    const sentMs = this.#means.nowMs();
    const { ready, client } = built;
    const plan = { slot: this.#slotAt(this.#sent), step: 0, client, dueMs: sentMs, cameBack: 0 };
    this.#sent += 1;
    const number = this.#means.nextNumber();
    this.#underWay = { plan, ready, number, calledMs: sentMs, sentMs, wireMs: sentMs };
    this.#mayBeClosed = this.#means.mayBeClosed();
  }

  /** Comes with each answer, before autocannon sends the next request. */
  #answered(status: number, text: string, fields: Readonly<Record<string, unknown>>): void {
    if (this.#underWay === undefined) return;
    // autocannon takes an informational answer for the final one, which is still to come.
    if (status < 200) {
      const message = `an answer of status ${status}`;
      this.#ends({ kind: 'failure', failure: 'closed', message, fate: 'brokenOff' });
      this.#abandon();
      return;
    }
    const isJudged = this.#means.job.sink.exchange !== undefined;
    // Of most answers nobody reads it.
    const body = status < 400 && !isJudged ? NOTHING : Buffer.from(text, 'utf8');
    const isWhole = isJudged && !text.includes(UNREADABLE);
    this.#ends({ kind: 'response', status, rawHeaders: fieldsOf(fields), body }, isWhole);
  }

  /** The one that went out last will have no whole answer. */
  #loses(): void {
    if (this.#underWay === undefined) return;
    const { parser, pipelinedRequests, timeout } = this.#inside;
    const isLate = this.#means.nowMs() - this.#underWay.calledMs >= timeout;
    const failure = this.#isTooLarge ? 'too-large' : isLate ? 'timeout' : 'closed';
    const isBegun = (pipelinedRequests.peek()?.body ?? '') !== '';
    const unmade = this.#unmade === undefined ? undefined : failureOf(this.#unmade, false);
    this.#isTooLarge = false;
    this.#unmade = undefined;
    pipelinedRequests.clear();
    parser.initialize('RESPONSE');
    if (unmade?.fate === 'unsent') {
      this.#ends(unmade);
      return;
    }
    if (this.#mayBeClosed && failure === 'closed' && !isBegun) {
      const message = 'its connection ended while this machine stood still';
      this.#ends({ kind: 'failure', failure, message, fate: 'unsent' });
      return;
    }
    const fate =
      failure === 'timeout' ? failure : isBegun ? 'brokenOff' : (unmade?.fate ?? 'reset');
    this.#ends({ kind: 'failure', failure, message: messageOf(failure, this.#means.job), fate });
  }

  #ends(requestEnd: RequestEnd, isWhole = true): void {
    const underWay = this.#underWay;
    this.#underWay = undefined;
    if (underWay !== undefined) this.#means.ended(underWay, requestEnd, isWhole);
  }

  #reads(): void {
    const body = this.#inside.pipelinedRequests.peek()?.body ?? '';
    if (this.#isTooLarge || body.length <= this.#means.job.maxBodyBytes) return;
    this.#isTooLarge = true;
    this.#inside.conn.destroy(new Error('the answer is too large'));
  }
}

/** Why no whole answer was received. */
function messageOf(failure: FailureKind, { timeoutMs, maxBodyBytes }: LoadJob): string {
  if (failure === 'timeout') return `no whole answer after ${timeoutMs} ms`;
  return failure === 'too-large'
    ? `the body is larger than ${maxBodyBytes} bytes`
    : 'the connection ended before the answer did';
}

/** The fields of an answer, which autocannon keeps by name: a repeated one is a list. */
function fieldsOf(fields: Readonly<Record<string, unknown>>): Buffer[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    [value]
      .flat()
      .flatMap((one) => [Buffer.from(name, 'latin1'), Buffer.from(String(one), 'latin1')]),
  );
}
