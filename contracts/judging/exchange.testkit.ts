import type { ApiName, Exchange, Outcome, Purpose } from '../wire/exchange.ts';

/** What a test says of an exchange; the rest is a plain success of the zap API's chains. */
export interface ExchangeSketch {
  readonly id?: string;
  readonly api?: ApiName;
  readonly purpose?: Purpose;
  readonly method?: string;
  readonly path?: string;
  /** Sent as JSON. */
  readonly sent?: unknown;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Answered as JSON. */
  readonly answered?: unknown;
  /** In place of an answer. */
  readonly failure?: Extract<Outcome, { kind: 'failure' }>['failure'];
}

/** An exchange made from what a test says of it. */
export function exchangeOf(sketch: ExchangeSketch = {}): Exchange {
  const { id = 'x00001', api = 'zap', method = 'GET', path = '/v1/config/chains' } = sketch;
  const { status = 200, answered = {}, headers = {}, failure } = sketch;
  const outcome: Outcome =
    failure === undefined
      ? {
          kind: 'response',
          response: {
            status,
            headers: Object.entries({ 'content-type': 'application/json', ...headers }),
            body: { encoding: 'utf8', text: JSON.stringify(answered) },
          },
        }
      : { kind: 'failure', failure, message: `no answer: ${failure}` };
  return {
    id,
    api,
    purpose: sketch.purpose ?? { kind: 'valid' },
    relations: [],
    request: {
      method,
      url: `http://127.0.0.1${path}`,
      path,
      headers: [],
      body:
        sketch.sent === undefined ? null : { encoding: 'utf8', text: JSON.stringify(sketch.sent) },
    },
    outcome,
    sentAtMs: 0,
    latencyMs: 1,
  };
}
