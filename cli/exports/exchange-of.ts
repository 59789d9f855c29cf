import type { Exchange, Purpose } from '../../contracts/wire/exchange.ts';
import { answerOf, isExchange, isResponse } from './answer-given.ts';
import { contractOf, type JudgeExchangesOptions } from './judge-exchanges.ts';
import { requestOf } from './request-given.ts';
import { type WrittenRequest } from './written-request.ts';

/** What was asked, of an answer that does not say it. */
export interface AskedOptions extends Pick<JudgeExchangesOptions, 'contracts'> {
  /** Id of the operation, e.g. `zap.quote`; found by the request when absent. */
  readonly operation?: string;
  /**
   * What was asked: a `Request`, its JSON body, its path or URL, or `{ method, path, headers, body }`; the
   * plain request of the operation when absent.
   */
  readonly request?: Request | URL | WrittenRequest | string | Readonly<Record<string, unknown>>;
  /** Whether the document obliges the service to take the request; nothing is known when absent. */
  readonly purpose?: 'valid' | 'unknown';
}

/**
 * An answer with its request, as rules see them. An exchange is taken as it is.
 *
 * @param received a `Response`, an exchange, a mocked answer `{ status, headers, body }`, or the JSON of
 *   a success
 * @throws TypeError when it is none, or when nothing says what was asked
 */
export async function exchangeOf(received: unknown, options: AskedOptions = {}): Promise<Exchange> {
  if (isExchange(received)) return received;
  const contract = await contractOf(options);
  const { operation: named, request: given, purpose = 'unknown' } = options;
  const answeredAt = isResponse(received) ? received.url : '';
  const { operation, request } = await requestOf(given, named, contract, answeredAt);
  const response = await answerOf(received);
  const kind: Purpose = { kind: purpose };
  return {
    ...{ id: 'x00001', api: operation.api, purpose: kind, relations: [], request },
    outcome: { kind: 'response', response },
    ...{ sentAtMs: 0, latencyMs: 0 },
  };
}
