import { type Fate, fateOfStatus } from '../../../contracts/run/load/fates.ts';
import { comeBackMark } from '../../../contracts/run/load/load-marks.ts';
import type { Exchange, HeaderList, Outcome } from '../../../contracts/wire/exchange.ts';
import { jsonOrUndefined } from '../../../contracts/wire/parse-json.ts';
import { given } from '../../../contracts/wire/json.ts';
import { bodyOf } from '../../../target/body/body.ts';
import { afterLargeBodies } from '../../../target/body/large-bodies.ts';
import { decodeContent } from '../../../target/transport/content-encoding.ts';
import type { LoadJob } from '../../engine.ts';
import type { Sample } from '../../load-sink.ts';
import { Unsent } from '../unsent.ts';
import type { PendingRequest, RequestEnd } from './pending-request.ts';

const ENCODING = 'content-encoding';

/** Whether a content coding has to be undone, which takes a while. */
export function isEncoded(requestEnd: RequestEnd): boolean {
  if (requestEnd.kind === 'failure' || requestEnd.body.length === 0) return false;
  const { rawHeaders } = requestEnd;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    // Few fields have names of that length.
    if (name?.length === ENCODING.length && name.toString('latin1').toLowerCase() === ENCODING) {
      return true;
    }
  }
  return false;
}

/**
 * The end with its body decoded; more than the cap is a failure before it is unpacked.
 *
 * @param isGivenUp asked once it is its turn: whether nobody waits for it any more
 * @returns undefined if it was given up
 */
export async function decodedEnd(
  requestEnd: RequestEnd,
  maxBodyBytes: number,
  isGivenUp: () => boolean,
): Promise<RequestEnd | undefined> {
  if (requestEnd.kind === 'failure') return requestEnd;
  const headers = headerListOf(requestEnd.rawHeaders);
  const turn = { isGivenUp: false };
  const result = await decodeContent(
    headers,
    requestEnd.body,
    maxBodyBytes,
    () => (turn.isGivenUp = isGivenUp()),
  );
  if (turn.isGivenUp) return undefined;
  if (result.kind === 'failure') return { ...result, fate: 'brokenOff' };
  const { body } = result;
  return { ...requestEnd, body: Buffer.from(body.buffer, body.byteOffset, body.byteLength) };
}

/** The end without its body, which was not read: it counts by its status, and nothing else is made of it. */
export function unreadEnd(requestEnd: RequestEnd): RequestEnd {
  return requestEnd.kind === 'failure' ? requestEnd : { ...requestEnd, body: NONE };
}

/** What is reported of a request besides its answer. */
export type Sent = Pick<
  PendingRequest,
  'plan' | 'ready' | 'number' | 'calledMs' | 'sentMs' | 'wireMs'
> &
  Partial<Pick<PendingRequest, 'isLate' | 'firstByteMs' | 'receivedBytes'>>;

/** What became of a request that the target had, and the parsed body of what may be a throttled answer. */
export interface Settled {
  readonly fate: Fate;
  readonly json?: unknown;
}

/** This part of the time limit, from when a request got a connection, is as good as all of it. */
const ALL_BUT = 0.95;

/** Takes what the requests of a run come to: samples and exchanges for the sink, and a count of those never sent. */
export class Answers {
  readonly unsent: Unsent = new Unsent();
  readonly #job: LoadJob;
  readonly #startMs: number;
  readonly #afterLargeBodies = afterLargeBodies();

  constructor(job: LoadJob, startMs: number) {
    this.#job = job;
    this.#startMs = startMs;
  }

  /**
   * Takes what one came to.
   *
   * @param isWhole whether the body is as it came; nothing else is judged
   * @returns undefined where the target never had it
   * @throws what the sink throws
   */
  take(going: Sent, requestEnd: RequestEnd, endMs: number, isWhole: boolean): Settled | undefined {
    const why = this.#whyUnsent(going, requestEnd, endMs);
    if (why !== undefined) {
      const isWay = requestEnd.kind === 'failure' && requestEnd.failure === 'connect';
      this.unsent.add(why, isWay ? 'The way to the target' : 'This machine');
      return undefined;
    }
    const { sink, isThrottled } = this.#job;
    const settled = fateOf(requestEnd, isThrottled);
    const status = requestEnd.kind === 'response' ? requestEnd.status : 0;
    const sample = sampleOf(going, settled.fate, status, endMs);
    sink.sample(sample);
    // Asked for those that are not whole too: they are answers that nobody judged.
    const isWanted = sink.exchange !== undefined && (sink.wants?.(sample) ?? true);
    if (isWanted && isWhole) {
      const exchange = this.#exchangeOf(going, requestEnd, endMs);
      sink.exchange?.(exchange, sample.step, sample.dueMs);
      this.#afterLargeBodies(exchange);
    }
    return settled;
  }

  /**
   * Why this machine did not send a request, or so late that the service had not the time that it may take;
   * undefined where it had, and where the request waited for what the user allows.
   */
  #whyUnsent({ sentMs, wireMs }: Sent, requestEnd: RequestEnd, endMs: number): string | undefined {
    if (requestEnd.kind === 'response') return undefined;
    if (requestEnd.fate === 'unsent') return requestEnd.message;
    const { connections, timeoutMs, whyFewConnections: why } = this.#job;
    const hadTime = wireMs !== undefined && endMs - (sentMs ?? endMs) >= ALL_BUT * timeoutMs;
    if (requestEnd.failure !== 'timeout' || hadTime || why === undefined) return undefined;
    return `none of ${connections} connections came free in time; ${why}`;
  }

  /** The exchange of a request, redacted as the client's are; its id grows with what was sent before. */
  #exchangeOf(going: Sent, requestEnd: RequestEnd, endMs: number): Exchange {
    const { plan, ready, number, calledMs, wireMs = calledMs } = going;
    const { sent, outcome } = ready.redacted();
    const comesBack = this.#job.scenario.onThrottle === 'come-back';
    return {
      id: `x${String(number).padStart(5, '0')}`,
      api: sent.api,
      purpose: sent.purpose,
      // Rules on clients that come back see all of what each of them sent.
      relations: comesBack
        ? [...sent.relations, comeBackMark(plan.client, plan.slot)]
        : sent.relations,
      request: sent.request,
      outcome: outcome(outcomeOf(requestEnd)),
      sentAtMs: roundToMicros(this.#startMs + wireMs),
      latencyMs: roundToMicros(endMs - wireMs),
    };
  }
}

function fateOf(requestEnd: RequestEnd, isThrottled: LoadJob['isThrottled']): Settled {
  if (requestEnd.kind === 'failure') {
    return { fate: requestEnd.fate === 'unsent' ? 'unanswered' : requestEnd.fate };
  }
  const { status, body } = requestEnd;
  const fate = fateOfStatus(status);
  if (status < 400) return { fate };
  const json = jsonOrUndefined(body.toString('utf8'));
  return { fate: isThrottled(status, json) ? 'throttled' : fate, json };
}

function sampleOf(
  { plan, ready, calledMs, wireMs, isLate = false, firstByteMs, receivedBytes }: Sent,
  fate: Fate,
  status: number,
  endMs: number,
): Sample {
  const { slot, step, client, dueMs, firstDueMs } = plan;
  const { operation } = ready.prepared;
  // Nearly all are of the first kind; spreading parts costs more than all the rest.
  if (
    wireMs !== undefined &&
    firstByteMs !== undefined &&
    receivedBytes !== undefined &&
    firstDueMs === undefined &&
    !isLate
  ) {
    return {
      slot,
      step,
      operation,
      client,
      dueMs,
      calledMs,
      wireMs,
      firstByteMs,
      endMs,
      receivedBytes,
      fate,
      status,
    };
  }
  return {
    ...{ slot, step, operation, client, dueMs, calledMs, endMs, fate, status, isLate },
    ...given({
      wireMs,
      firstByteMs,
      receivedBytes: firstByteMs === undefined ? undefined : receivedBytes,
    }),
    ...(firstDueMs === undefined ? {} : { firstDueMs }),
  };
}

/** As an exchange has it, nothing redacted yet. */
function outcomeOf(requestEnd: RequestEnd): Outcome {
  if (requestEnd.kind === 'failure') {
    const { kind, failure, message } = requestEnd;
    return { kind, failure, message };
  }
  const { status, rawHeaders, body } = requestEnd;
  return {
    kind: 'response',
    response: { status, headers: headerListOf(rawHeaders), body: bodyOf(body) },
  };
}

/** Times are measured no finer; more digits would only make records longer. */
function roundToMicros(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

/** The raw fields as pairs; header bytes are Latin-1 (RFC 9110 section 5.5). */
export function headerListOf(raw: readonly Buffer[]): HeaderList {
  const [first, last] = [raw[0], raw.at(-1)];
  if (first === undefined || last === undefined) return [];
  // Nearly always the fields stand side by side in what came in: decoded together, in one call.
  const { buffer, byteOffset } = first;
  const length = last.byteOffset + last.length - byteOffset;
  const isOne = last.buffer === buffer && length > 0 && length <= MAX_TOGETHER;
  const together = isOne ? Buffer.from(buffer, byteOffset, length).toString('latin1') : '';
  const textOf = (part: Buffer): string => {
    const start = part.byteOffset - byteOffset;
    const end = start + part.length;
    return part.buffer === buffer && start >= 0 && end <= together.length
      ? together.slice(start, end)
      : part.toString('latin1');
  };
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    pairs.push([textOf(raw[at] ?? NONE), textOf(raw[at + 1] ?? NONE)]);
  }
  return pairs;
}

const NONE = Buffer.alloc(0);
/** Header fields that are longer together are decoded one by one. */
const MAX_TOGETHER = 65_536;
