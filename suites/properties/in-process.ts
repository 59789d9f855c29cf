import type { Judge } from '../../contracts/judging/judge.ts';
import type { ProfileName } from '../../contracts/judging/profile.ts';
import type { Contract } from '../../contracts/document/schema.ts';
import type { ApiName, Exchange } from '../../contracts/wire/exchange.ts';
import { API_NAMES } from '../../contracts/wire/exchange.ts';
import { createClient } from '../../fixtures/target/transport/client.ts';
import type { Clock } from '../../fixtures/target/budget/clock.ts';
import { fromFetch } from '../../fixtures/target/transport/fetch-transport.ts';
import { BudgetExceeded, createGovernor } from '../../fixtures/target/budget/governor.ts';
import { createRedactor } from '../../fixtures/target/redaction/redactor.ts';
import type { Transport } from '../../fixtures/target/transport/transport.ts';
import type { DrivenService } from '../driven-service.ts';
import type { DriveReport } from '../drive/index.ts';
import { createRandom } from '../drive/random.ts';
import type { Exploration } from './explore.ts';
import { explore } from './explore.ts';

/** Base URLs under which a service in the same process is addressed; nothing listens there. */
export const IN_PROCESS_URLS: Readonly<Record<ApiName, string>> = {
  zap: 'http://zap.invalid',
  trade: 'http://trade.invalid',
  docs: 'http://docs.invalid',
  ai: 'http://ai.invalid',
};

/** A service as a function. */
export interface InProcessService {
  readonly fetch: (api: ApiName, request: Request, sourceAddress: string) => Promise<Response>;
}

/** What explores a service in the same process. */
export interface InProcessOptions extends Pick<
  Exploration,
  'onFound' | 'replay' | 'driveOnly' | 'isHarmless'
> {
  readonly regressions?: Exploration['regressions'];
  /** What is known of the service, so that it can be driven. */
  readonly driven: DrivenService;
  /** The service itself. */
  readonly service: InProcessService;
  readonly contract: Contract;
  readonly seed: number;
  readonly clock: Clock;
  readonly profile: ProfileName;
  readonly maxRequests: number;
  readonly judge: Judge;
  /** Another way to the service than straight into its function, which it is given. */
  readonly way?: (direct: Transport) => Transport;
  /** Asked after each exchange; no more are sent once it says no, as when the budget is used up. */
  readonly mayGoOn?: () => boolean;
  /** Interrupts the run, as Ctrl-C does. */
  readonly signal?: AbortSignal;
  /** Told of each exchange as it ends, once it is judged. */
  readonly listener?: (exchange: Exchange) => void;
}

/** Explores a service without sockets, in the same way as one at a URL. */
export async function exploreInProcess(options: InProcessOptions): Promise<DriveReport> {
  const { service, clock, maxRequests, judge, listener, seed, mayGoOn, signal } = options;
  const ending = new AbortController();
  const { zap: zapUrl, trade: tradeUrl, docs: docsUrl, ai: aiUrl } = IN_PROCESS_URLS;
  const governor = createGovernor({
    budget: { maxRequests, maxSeconds: 36_000, maxRejects: 1_000 },
    clock,
    signal: AbortSignal.any([ending.signal, ...(signal === undefined ? [] : [signal])]),
  });
  const direct = fromFetch((request, { sourceAddress }) =>
    service.fetch(apiOf(request.url), request, sourceAddress),
  );
  const client = createClient({
    isThrottled: options.contract.errors.isThrottled,
    config: { zapUrl, tradeUrl, docsUrl, aiUrl, timeoutMs: 10_000, maxBodyBytes: 4_194_304 },
    transport: options.way?.(direct) ?? direct,
    redactor: createRedactor({}),
    governor,
    clock,
    listeners: [
      (exchange) => {
        judge.add(exchange);
        if (mayGoOn?.() === false) ending.abort(new BudgetExceeded('requests', maxRequests));
      },
      ...(listener === undefined ? [] : [listener]),
    ],
  });
  return explore({
    ...options,
    service: options.driven,
    client,
    clock: governor,
    random: createRandom(seed),
    apis: new Set(API_NAMES),
    known: [],
    tradeCredential: 'none',
    progress: () => undefined,
    requestsLeft: () => maxRequests - governor.spent.requests,
    regressions: options.regressions ?? [],
  });
}

function apiOf(url: string): ApiName {
  return API_NAMES.find((api) => url.startsWith(`${IN_PROCESS_URLS[api]}/`)) ?? 'docs';
}
