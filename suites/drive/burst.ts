import type { Contract } from '../../contracts/document/schema.ts';
import type { ErrorReading } from '../../contracts/wire/error-reading.ts';
import { type ApiName, type Exchange, headerOf } from '../../contracts/wire/exchange.ts';
import { jsonOrUndefined } from '../../contracts/wire/parse-json.ts';
import { readRateLimitHeaders } from '../../contracts/wire/rate-limit-headers.ts';
import type { ClientRequest } from '../../target/transport/client.ts';
import { ApiUnreachable, BudgetExceeded } from '../../target/budget/governor.ts';
import { isOwn } from './own-target.ts';
import type { Driving, Session } from '../driven-service.ts';

/** This many requests leave at once; fewer than half of the throttled answers that a gate may see. */
const WAVE = 16;
/** Requests in all if nothing says how many are left. */
const BLIND = 3 * WAVE;
/** More are not sent to reach a limit, even if the answers say how many are left. */
const MOST = 150;
/** A wave that takes longer to leave is held back by a rate, and no burst. */
const MAX_WAVE_MS = 1_000;

/** What was seen of an API's limit before the burst. */
interface Seen {
  /** A request that was served without a credential, and is sent again. */
  request?: Pick<ClientRequest, 'method' | 'path' | 'json'>;
  /** Where it went. */
  url: string;
  /** How many more are admitted, as the last answer said. */
  left?: number;
  throttled: boolean;
}

/** Looks for the answer of a limit that nothing in a run meets. */
export interface Burst {
  /**
   * Sends equal requests at once to each API of one's own that was never throttled, until the first
   * throttled answer. Comes last, since what it meets would hold up whatever comes after it.
   *
   * @param requestsLeft what the budget still allows
   * @returns sentences for the report
   */
  readonly send: (requestsLeft: () => number) => Promise<string[]>;
}

/** What a burst needs of a session. */
export interface BurstSession extends Pick<Session, 'client' | 'apis' | 'needed'> {
  readonly contract: Pick<Contract, 'errors'>;
  readonly service: Pick<Driving, 'cheapRequests'>;
}

/** Begins to watch what a session is answered. */
export function prepareBurst({ client, apis, contract, service, needed }: BurstSession): Burst {
  const { cheapRequests: cheap = {} } = service;
  const isRejected = rejectionOf(contract.errors);
  const seen = new Map<ApiName, Seen>();
  client.listen((exchange) => {
    note(seen, exchange, cheap[exchange.api], isRejected);
  });
  const sendTo = async (api: ApiName, most: number): Promise<string[]> => {
    const { request, url = '', left, throttled } = seen.get(api) ?? { throttled: true };
    if (request === undefined || throttled || !isOwn(url)) return [];
    // What was reported may be out of date, so some more are sent.
    const wanted = left === undefined || left + WAVE > MOST ? BLIND : left + WAVE;
    let sent = 0;
    while (sent < wanted && sent + WAVE <= most) {
      const wave = Array.from({ length: WAVE }, () =>
        client
          .send({
            ...{ api, ...request, attempts: 1 },
            purpose: { kind: 'probe', about: 'equal requests at once' },
          })
          // Not the answer itself: a whole wave of large ones would be held at once.
          .then((one) => ({ sentAtMs: one.sentAtMs, isRejected: isRejected(one) })),
      );
      const exchanges = answered(await Promise.allSettled(wave));
      sent += WAVE;
      if (exchanges.some((one) => one.isRejected)) {
        return [
          `Up to ${sent} equal requests were sent to the ${api} API, ${WAVE} at once, to see what it answers when its rate limit is reached; it was.`,
        ];
      }
      const sentAt = exchanges.map(({ sentAtMs }) => sentAtMs);
      const tookMs = Math.max(...sentAt) - Math.min(...sentAt);
      if (exchanges.length < WAVE || tookMs > MAX_WAVE_MS) break;
    }
    return [];
  };
  return {
    send: async (requestsLeft) => {
      const notices: string[] = [];
      for (const api of apis) {
        if (needed?.isThrottled(api) !== false)
          notices.push(...(await sendTo(api, requestsLeft())));
      }
      return notices;
    },
  };
}

function note(
  seen: Map<ApiName, Seen>,
  exchange: Exchange,
  cheap: readonly string[] | undefined,
  isRejected: (exchange: Exchange) => boolean,
): void {
  const { api, request, outcome } = exchange;
  if (cheap === undefined || outcome.kind === 'failure') return;
  const known = seen.get(api) ?? { url: request.url, throttled: false };
  seen.set(api, known);
  known.throttled ||= isRejected(exchange);
  const { status, headers } = outcome.response;
  const isBare = headerOf(request.headers, 'authorization') === undefined;
  const place = cheap.indexOf(`${request.method} ${request.path}`);
  if (!isBare) return;
  const reported = readRateLimitHeaders(headers).readings.flatMap(
    ({ remaining }) => remaining ?? [],
  );
  if (reported.length > 0) known.left = Math.min(...reported);
  // With the key of an earlier request, an answer may come without being counted.
  const isRepeat = headerOf(request.headers, 'idempotency-key') !== undefined;
  if (place < 0 || status < 200 || status > 299 || isRepeat) return;
  const { method, path, body } = request;
  const json = body === null ? undefined : jsonOrUndefined(body.text);
  known.request = { method, path, ...(json === undefined ? {} : { json }) };
}

function rejectionOf({ isThrottled }: ErrorReading): (exchange: Exchange) => boolean {
  return ({ outcome }) => {
    if (outcome.kind === 'failure') return false;
    const { status, body } = outcome.response;
    return status >= 400 && isThrottled(status, jsonOrUndefined(body.text));
  };
}

/** The exchanges of a wave; one that the budget does not allow any more, or nobody answers, is none. */
function answered<T>(results: readonly PromiseSettledResult<T>[]): T[] {
  return results.flatMap((result) => {
    if (result.status === 'fulfilled') return [result.value];
    const reason: unknown = result.reason;
    if (reason instanceof BudgetExceeded || reason instanceof ApiUnreachable) return [];
    throw reason;
  });
}
