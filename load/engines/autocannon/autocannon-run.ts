import autocannon, { type Client, type Instance, type Options, type Request } from 'autocannon';
import type { ErrorFate } from '../../../contracts/run/load/fates.ts';
import { headerOf, type HeaderList } from '../../../contracts/wire/exchange.ts';
import { exchangeOf, fateOf, sampleOf, type Flown } from '../sending/answers.ts';
import { Connection, type Loss } from './autocannon-client.ts';
import type { LoadJob } from '../engine.ts';
import type { Landing } from '../sending/flight.ts';
import type { Unsent } from '../unsent.ts';
import type { ReadyRequest } from '../sending/ready-request.ts';

/** The part of a run that goes to one origin. */
export interface OriginShare {
  readonly origin: string;
  /** The slots whose requests go there, in order. */
  readonly slots: readonly number[];
  readonly connections: number;
}

/** What the parts of a run share. */
export interface SaturationMeans {
  readonly job: LoadJob;
  readonly ready: (slot: number) => ReadyRequest;
  /** Who sends a slot. */
  readonly clientOf: (slot: number) => number;
  /** Milliseconds from the start of the run. */
  readonly nowMs: () => number;
  readonly startMs: number;
  /** The number of the next request that is sent, from 1. */
  readonly nextNumber: () => number;
  /** Called with what the sink throws. */
  readonly broken: (error: unknown) => void;
  /** Counts what this machine could not send. */
  readonly unsent: Unsent;
}

/** A part of a run that is under way. */
export interface Saturation {
  readonly ended: Promise<void>;
  /** Sends nothing more; what is on its way may come in. */
  finish(): void;
  /** Ends at once. */
  stop(): void;
}

/**
 * Requests are built before the clock starts, so many at most; then the first ones come again, with the
 * Idempotency-Keys that they had.
 */
const MAX_BUILT = 4_000;
/** How often autocannon looks whether it is at its end. */
const LOOK_MS = 50;
/** What a body has that was not text, or was cut in the middle of a character. */
const UNREADABLE = '\ufffd';
const NOTHING = Buffer.alloc(0);

/** Sends the requests of one origin, each connection the next one once the last was answered. */
export function saturate(share: OriginShare, means: SaturationMeans): Saturation {
  const { job } = means;
  const connections: Connection[] = [];
  let instance: Instance | undefined;
  const ended = new Promise<void>((resolve, reject) => {
    const options: Options = {
      url: share.origin,
      amount: share.slots.length,
      connections: share.connections,
      pipelining: 1,
      timeout: Math.ceil(job.timeoutMs / 1000),
      sampleInt: LOOK_MS,
      // Without a rate it corrects nothing for coordinated omission, and refuses to be told not to.
      skipAggregateResult: true,
      setupClient: (client) => {
        connections.push(new Lane(connections.length, share, means).take(client));
      },
    };
    instance = autocannon(options, (error: unknown) => {
      if (error instanceof Error) reject(error);
      else resolve();
    });
  });
  return {
    ended,
    finish: () => {
      for (const connection of connections) connection.finish();
    },
    stop: () => {
      instance?.stop();
    },
  };
}

/** One connection and the slots that it sends: every n-th of the share, where there are n connections. */
class Lane {
  readonly #first: number;
  readonly #share: OriginShare;
  readonly #means: SaturationMeans;
  readonly #built: readonly ReadyRequest[];
  #connection: Connection | undefined;
  /** How many it has sent. */
  #sent = 0;
  #flown: Flown | undefined;

  constructor(first: number, share: OriginShare, means: SaturationMeans) {
    this.#first = first;
    this.#share = share;
    this.#means = means;
    const { slots, connections } = share;
    const most = Math.max(1, Math.floor(MAX_BUILT / connections));
    const own = Math.ceil((slots.length - first) / connections);
    this.#built = Array.from({ length: Math.min(most, own) }, (_, at) =>
      means.ready(slots[first + at * connections] ?? 0),
    );
  }

  take(client: Client): Connection {
    const { job, nowMs } = this.#means;
    client.setRequests(this.#built.map((ready) => this.#requestOf(ready)));
    this.#connection = new Connection(
      client,
      {
        sends: (sentMs) => {
          this.#sends(sentMs);
        },
        loses: (why, fate) => {
          this.#ends(lossOf(why, fate, job));
        },
        unsent: (why, isWay) => {
          this.#flown = undefined;
          this.#means.unsent.add(why, isWay ? 'The way to the target' : 'This machine');
        },
      },
      { maxBodyBytes: job.maxBodyBytes, timeoutMs: job.timeoutMs, nowMs },
    );
    return this.#connection;
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

  #sends(sentMs: number): void {
    const { slots, connections } = this.#share;
    const slot = slots[this.#first + this.#sent * connections] ?? 0;
    const built = this.#sent % this.#built.length;
    const client = this.#means.clientOf(slots[this.#first + built * connections] ?? 0);
    const ready = this.#built[built];
    if (ready === undefined) return;
    this.#sent += 1;
    this.#flown = {
      plan: { slot, step: 0, client, dueMs: sentMs, cameBack: 0 },
      ready,
      number: this.#means.nextNumber(),
      calledMs: sentMs,
      wireMs: sentMs,
    };
  }

  #answered(status: number, body: string, fields: Readonly<Record<string, unknown>>): void {
    const connection = this.#connection;
    if (connection === undefined || this.#flown === undefined) return;
    connection.answered();
    // autocannon takes an informational answer for the final one, which is still to come.
    if (status < 200) {
      const message = `an answer of status ${status}`;
      this.#ends({ kind: 'failure', failure: 'closed', message, fate: 'brokenOff' });
      connection.abandon();
      return;
    }
    this.#ends(
      {
        kind: 'response',
        status,
        rawHeaders: fieldsOf(fields),
        // Of most answers nobody reads it; see below.
        body: status < 400 && !this.#isJudged ? NOTHING : Buffer.from(body, 'utf8'),
      },
      body,
    );
  }

  get #isJudged(): boolean {
    return this.#means.job.sink.exchange !== undefined;
  }

  #ends(landing: Landing, text = ''): void {
    const { job, nowMs, startMs, broken } = this.#means;
    const flown = this.#flown;
    if (flown === undefined) return;
    this.#flown = undefined;
    const endMs = nowMs();
    const status = landing.kind === 'response' ? landing.status : 0;
    const sample = sampleOf(flown, fateOf(landing, job.isThrottled).fate, status, endMs);
    try {
      job.sink.sample(sample);
      if (!this.#isJudged || text.includes(UNREADABLE)) return;
      if (job.sink.wants?.(sample) ?? true) {
        job.sink.exchange?.(exchangeOf(flown, landing, { startMs, endMs }), 0);
      }
    } catch (error) {
      broken(error);
    }
  }
}

function lossOf(failure: Loss, fate: ErrorFate, { timeoutMs, maxBodyBytes }: LoadJob): Landing {
  const messages: Record<Loss, string> = {
    closed: 'the connection ended before the answer did',
    timeout: `no whole answer after ${timeoutMs} ms`,
    'too-large': `the body is larger than ${maxBodyBytes} bytes`,
  };
  return { kind: 'failure', failure, message: messages[failure], fate };
}

/** The fields of an answer, which autocannon keeps by name: a repeated one is a list. */
function fieldsOf(fields: Readonly<Record<string, unknown>>): Buffer[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    [value]
      .flat()
      .flatMap((one) => [Buffer.from(name, 'latin1'), Buffer.from(String(one), 'latin1')]),
  );
}

/** Fields of a request for which autocannon would get answers that it cannot read. */
export function withoutCodings(headers: HeaderList): HeaderList {
  return headerOf(headers, 'accept-encoding') === undefined
    ? [...headers, ['Accept-Encoding', 'identity']]
    : headers;
}
