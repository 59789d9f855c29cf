import type { Judge } from '../../contracts/judging/judge.ts';
import type { ProfileName } from '../../contracts/judging/profile.ts';
import type { Contract } from '../../contracts/document/schema.ts';
import type { ApiName, Exchange } from '../../contracts/wire/exchange.ts';
import type { RpcSetting } from '../../target/rpc/rpc-urls.ts';
import { createNodes } from '../../target/rpc/nodes.ts';
import { createClient, exchangeIds } from '../../target/transport/client.ts';
import type { Clock } from '../../target/budget/clock.ts';
import { fromFetch } from '../../target/transport/fetch-transport.ts';
import { BudgetExceeded, createGovernor } from '../../target/budget/governor.ts';
import { createRedactor } from '../../target/redaction/redactor.ts';
import type { Transport } from '../../target/transport/transport.ts';
import type { DrivenService } from '../driven-service.ts';
import type { DriveReport } from '../drive/index.ts';
import { createRandom } from '../drive/random.ts';
import type { Exploration } from './explore.ts';
import { explore } from './explore.ts';

/** Base URLs under which a service in the same process is addressed; nothing listens there. */
export function inProcessUrls<Api extends ApiName>(apis: readonly Api[]): Record<Api, string> {
  return Object.fromEntries(apis.map((api) => [api, `http://${api}.invalid`])) as Record<
    Api,
    string
  >;
}

/** A service as a function. */
export interface InProcessService {
  fetch(api: ApiName, request: Request, sourceAddress: string): Promise<Response>;
}

/** What explores a service in the same process. */
export interface InProcessOptions extends Pick<
  Exploration,
  'onFound' | 'replay' | 'driveOnly' | 'isWithoutSecrets' | 'secondsLeft' | 'needed'
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
  /** Called with each exchange as it ends, once it is judged. */
  readonly listener?: (exchange: Exchange) => void;
  /** Nodes that execute what the service builds: those that it names itself, or others. */
  readonly executes?:
    'on its own nodes' | { readonly urls: RpcSetting['urls']; readonly way: Transport };
}

/** Explores a service without sockets, in the same way as one at a URL. */
export async function exploreInProcess(options: InProcessOptions): Promise<DriveReport> {
  const { service, clock, maxRequests, judge, listener, seed, mayGoOn, signal } = options;
  const ending = new AbortController();
  const { apis } = options.driven;
  const urls = Object.entries(inProcessUrls(apis)).map(([api, url]) => [`${api}Url`, url] as const);
  const governor = createGovernor({
    budget: { maxRequests, maxSeconds: 36_000, maxRejects: 1_000 },
    clock,
    waitIn: options.contract.errors.waitIn,
    signal: AbortSignal.any([ending.signal, ...(signal === undefined ? [] : [signal])]),
  });
  const direct = fromFetch((request, { sourceAddress }) =>
    service.fetch(apiOf(request.url, apis), request, sourceAddress),
  );
  const transport = options.way?.(direct) ?? direct;
  const sending = {
    redactor: createRedactor({}),
    clock,
    nextId: exchangeIds(),
    listeners: [
      (exchange: Exchange) => {
        judge.add(exchange);
        if (mayGoOn?.() === false) ending.abort(new BudgetExceeded('requests', maxRequests));
      },
      ...(listener === undefined ? [] : [listener]),
    ],
  };
  const client = createClient({
    ...sending,
    isThrottled: options.contract.errors.isThrottled,
    config: { ...Object.fromEntries(urls), timeoutMs: 10_000, maxBodyBytes: 4_194_304 },
    transport,
    governor,
  });
  const { executes } = options;
  const isOwn = executes === 'on its own nodes';
  const way = executes === undefined || isOwn ? transport : executes.way;
  const nodes =
    executes &&
    createNodes({
      ...sending,
      setting: { urls: isOwn ? {} : executes.urls, ofService: isOwn },
      ...{ whyNotAsked: () => undefined, isLocal: true, maxSeconds: 36_000 },
      transports: { any: way, public: way },
    });
  return explore({
    ...options,
    service: options.driven,
    client,
    clock: governor,
    ...(nodes === undefined ? {} : { nodes }),
    random: createRandom(seed),
    apis: new Set(apis),
    known: [],
    keyedCredential: 'none',
    progress: () => undefined,
    requestsLeft: () => maxRequests - governor.spent.requests,
    regressions: options.regressions ?? [],
  });
}

function apiOf(url: string, apis: readonly ApiName[]): ApiName {
  const { hostname } = new URL(url);
  return apis.find((api) => hostname === `${api}.invalid`) ?? '';
}
