/** Sends the requests of a probe, and tells each exchange as an event. */

import type { ProbeOutcome } from '../../contracts/run/load/limit-measurement.ts';
import type { Witness } from '../../contracts/judging/rule.ts';
import { headerOf, type Exchange, type HeaderList } from '../../contracts/wire/exchange.ts';
import { resetUnit } from '../../contracts/wire/rate-limit-reset.ts';
import { parseRetryAfter } from '../../contracts/wire/http/retry-after.ts';
import { isWebPage } from '../../contracts/wire/web-page.ts';
import { jsonOrUndefined } from '../../contracts/wire/parse-json.ts';
import type { Client } from '../../target/transport/client.ts';
import { readReport, type LimitReport, type ProbeEvent } from '../limits/index.ts';
import { requestOf, type Ask } from './bucket.ts';
import type { RejectionReading } from './rejections.ts';

/** One request of a probe, and all that came back. Its times are epoch ms on a monotonic clock. */
export interface Reported extends ProbeEvent {
  readonly receivedEpochMs: number;
  readonly headers: HeaderList;
  /** The parsed body, or undefined. */
  readonly json: unknown;
  /** The wait that the body announces, as it stands there; undefined where it announces none. */
  readonly bodyWait: unknown;
  /** 0 when there was no response. */
  readonly status: number;
  /** Of a web page in place of an answer. */
  readonly isPage?: boolean;
  /** Why there was no response; empty when there was one. */
  readonly failure: string;
  readonly witness: Witness;
}

/** Sends one request; rejects only when the budget is spent or the run is interrupted. */
export type Sender = (ask: Ask) => Promise<Reported>;

/** Services count in whole milliseconds, cut off: what they call now may be before it was sent. */
const GRAIN_MS = 1;

/** Statuses that say nothing of a limit: not let in, or nothing of the kind here. */
const NOT_SERVED: ReadonlySet<number> = new Set([401, 403, 404, 405, 501]);

/**
 * A sender over a client that sends nothing twice.
 *
 * @param mostWaitSeconds nobody waits longer than this
 * @param rejections which answers are rejections by a limit; those of the client's governor
 */
export function createSender(
  client: Pick<Client, 'send'>,
  mostWaitSeconds: number,
  rejections: RejectionReading,
): Sender {
  return async (ask) => {
    return reportedOf(await client.send(requestOf(ask, ABOUT)), mostWaitSeconds, rejections);
  };
}

/** What the requests ask about, in the record. */
const ABOUT = 'rate limits';

/**
 * What an exchange tells of a limit.
 *
 * @param mostWaitSeconds nobody waits longer than this
 */
export function reportedOf(
  exchange: Exchange,
  mostWaitSeconds: number,
  rejections: RejectionReading,
): Reported {
  const { id, request, outcome, sentAtMs, latencyMs } = exchange;
  const receivedMs = sentAtMs + latencyMs;
  const sentMs = sentAtMs - GRAIN_MS;
  const times = { sentMs, receivedMs, receivedEpochMs: receivedMs };
  const witness: Witness = { id, request };
  if (outcome.kind === 'failure') {
    const { message: failure } = outcome;
    return {
      ...times,
      outcome: 'failed',
      headers: [],
      json: undefined,
      bodyWait: undefined,
      status: 0,
      failure,
      witness,
    };
  }
  const { status, headers, body } = outcome.response;
  const json = jsonOrUndefined(body.text);
  const isPage = isWebPage(body.text);
  const report = limitReportOf(headers, receivedMs);
  const bodyWait = rejections.waitIn(json);
  const wait = announcedSeconds(headers, bodyWait, receivedMs, mostWaitSeconds);
  return {
    ...times,
    outcome: rejections.isThrottled(status, json)
      ? 'rejected'
      : // Who answers so is no service whose limits these would be.
        isPage
        ? 'failed'
        : outcomeOf(status),
    ...(isPage ? { isPage } : {}),
    ...(wait === undefined ? {} : { retryAfterSeconds: wait }),
    ...(report === undefined ? {} : { report }),
    headers,
    json,
    bodyWait,
    status,
    failure: '',
    witness,
  };
}

function outcomeOf(status: number): ProbeOutcome {
  return status >= 500 || NOT_SERVED.has(status) ? 'failed' : 'admitted';
}

/**
 * The shorter of the waits that the field and the body name, in seconds: a hint on when to ask again,
 * no more. The unit of a body is not stated, so what is too long to wait for is tried as ms.
 */
function announcedSeconds(
  headers: HeaderList,
  bodyWait: unknown,
  nowMs: number,
  mostWaitSeconds: number,
): number | undefined {
  const waits = [inField(headers, nowMs), secondsOf(bodyWait)]
    .filter((seconds) => seconds !== undefined && seconds >= 0)
    .map((seconds = 0) => (seconds > mostWaitSeconds ? seconds / 1000 : seconds));
  return waits.length === 0 ? undefined : Math.min(...waits);
}

function inField(headers: HeaderList, nowMs: number): number | undefined {
  const field = headerOf(headers, 'retry-after');
  const read = field === undefined ? undefined : parseRetryAfter(field, nowMs);
  if (read?.kind === 'seconds') return read.seconds;
  return read?.kind === 'date' ? Math.max(0, (read.epochMs - nowMs) / 1000) : undefined;
}

function secondsOf(bodyWait: unknown): number | undefined {
  return typeof bodyWait === 'number' ? bodyWait : undefined;
}

/** The tightest of the limits that the headers tell of: the one with the fewest requests left. */
function limitReportOf(headers: HeaderList, nowMs: number): LimitReport | undefined {
  const { readings } = readReport(headers);
  const [reading] = [...readings].sort(
    (a, b) => (a.remaining ?? Infinity) - (b.remaining ?? Infinity),
  );
  if (reading === undefined) return undefined;
  const { family, remaining, reset } = reading;
  const policy =
    reading.policies[0] ?? readings.find(({ policies }) => policies.length > 0)?.policies[0];
  const unit = reset === undefined ? undefined : resetUnit(family, reset.raw, nowMs);
  return {
    ...(policy === undefined ? {} : { limit: policy.limit }),
    ...(policy?.windowSeconds === undefined ? {} : { windowSeconds: policy.windowSeconds }),
    // A number below 0 counts nothing.
    ...(remaining === undefined || remaining < 0 ? {} : { remaining }),
    ...(reset === undefined || unit !== 'seconds' ? {} : { resetSeconds: reset.raw }),
  };
}
