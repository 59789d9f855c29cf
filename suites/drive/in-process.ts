import type { Contract } from '../../contracts/schema.ts';
import type { ApiName, Exchange } from '../../contracts/wire/exchange.ts';
import { API_NAMES } from '../../contracts/wire/exchange.ts';
import type { ReferenceService } from '../../fixtures/reference/service.ts';
import { createClient } from '../../fixtures/target/client.ts';
import type { Clock } from '../../fixtures/target/clock.ts';
import { fromFetch } from '../../fixtures/target/fetch-transport.ts';
import { createGovernor } from '../../fixtures/target/governor.ts';
import { createRedactor } from '../../fixtures/target/redactor.ts';
import { drive } from './index.ts';
import type { DriveReport } from './index.ts';
import { createRandom } from './random.ts';
import { createSession } from './session.ts';

/** Base URLs under which a service in the same process is addressed; nothing listens there. */
export const IN_PROCESS_URLS: Readonly<Record<ApiName, string>> = {
  zap: 'http://zap.invalid',
  trade: 'http://trade.invalid',
  docs: 'http://docs.invalid',
  ai: 'http://ai.invalid',
};

/** What drives a service in the same process. */
export interface InProcessOptions {
  readonly service: ReferenceService;
  readonly contract: Contract;
  readonly seed: number;
  readonly clock: Clock;
  readonly maxRequests: number;
  /** Told of each exchange as it ends. */
  readonly listener: (exchange: Exchange) => void;
}

/** Drives a service without sockets, in the same way as one at a URL. */
export async function driveInProcess(options: InProcessOptions): Promise<DriveReport> {
  const { service, clock, maxRequests, listener } = options;
  const { zap: zapUrl, trade: tradeUrl, docs: docsUrl, ai: aiUrl } = IN_PROCESS_URLS;
  const client = createClient({
    config: { zapUrl, tradeUrl, docsUrl, aiUrl, timeoutMs: 10_000, maxBodyBytes: 4_194_304 },
    transport: fromFetch((request, { sourceAddress }) =>
      service.fetch(apiOf(request.url), request, sourceAddress),
    ),
    redactor: createRedactor({}),
    governor: createGovernor({
      budget: { maxRequests, maxSeconds: 3_600, maxRejects: 1_000 },
      clock,
    }),
    clock,
    listeners: [listener],
  });
  return drive(
    createSession({
      client,
      contract: options.contract,
      random: createRandom(options.seed),
      apis: new Set(API_NAMES),
      known: [],
      tradeCredential: 'none',
      progress: () => undefined,
    }),
  );
}

function apiOf(url: string): ApiName {
  return API_NAMES.find((api) => url.startsWith(`${IN_PROCESS_URLS[api]}/`)) ?? 'docs';
}
