import type { Exchange } from '../../contracts/wire/exchange.ts';
import type { PlannedHeader, PlannedRequest } from './plan.ts';

/** What k6 says of a response, as far as it is needed. */
export interface K6Response {
  readonly status: number;
  /** Names in the spelling of Go; repeated fields joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly timings: { readonly duration: number };
  /** Why there is no answer. */
  readonly error?: string;
}

/** A field that has one value only: of several, joined, the first is what clients go by. */
const SINGLE = 'content-type';

/** The exchange of a request that was answered, secrets of the request by name. */
export function exchangeIn(
  id: string,
  sent: PlannedRequest,
  response: K6Response,
  sentAtMs: number,
): Exchange {
  const { api, method, url, path, purpose, body } = sent;
  const headers = Object.entries(response.headers).map(([name, value]): [string, string] => [
    name,
    name.toLowerCase() === SINGLE ? (value.split(',')[0] ?? value) : value,
  ]);
  return {
    id,
    api,
    purpose,
    relations: [],
    request: {
      method,
      url,
      path,
      headers: sent.headers.map(({ name, value }) => [name, value]),
      body: body === null ? null : { encoding: 'utf8', text: body },
    },
    outcome: {
      kind: 'response',
      response: {
        status: response.status,
        headers,
        body: { encoding: 'utf8', text: typeof response.body === 'string' ? response.body : '' },
      },
    },
    sentAtMs,
    latencyMs: response.timings.duration,
  };
}

/** The fields to be sent, secrets filled in from the environment. */
export function headersToSend(
  headers: readonly PlannedHeader[],
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const { name, value, secret } of headers) {
    const known = secret === undefined ? undefined : env[secret];
    if (secret !== undefined && known === undefined) {
      throw new Error(`the variable ${secret} is not set, which a request needs`);
    }
    const filled = known === undefined ? value : value.split(`$${String(secret)}`).join(known);
    fields[name] = name in fields ? `${String(fields[name])}, ${filled}` : filled;
  }
  return fields;
}

/** A text without the secrets of fields: each stands as `$NAME`. */
export function withoutSecrets(
  text: string,
  headers: readonly PlannedHeader[],
  env: Readonly<Record<string, string | undefined>>,
): string {
  let result = text;
  for (const { secret = '' } of headers) {
    const value = env[secret] ?? '';
    if (value !== '') result = result.split(value).join(`$${secret}`);
  }
  return result;
}

/** What came of judging one exchange by itself. */
export interface LoneJudgement {
  readonly throttled: boolean;
  /** Ids of rules that had something to judge and held. */
  readonly held: readonly string[];
  readonly broken: readonly string[];
  /** How Assay itself failed, if it did: a sentence without a full stop. */
  readonly crash: string | undefined;
}

/** Judges one exchange: by the card's rules, or by all that look at single exchanges. */
export type JudgeInK6 = (exchange: Exchange, extent: 'card' | 'all') => LoneJudgement;
