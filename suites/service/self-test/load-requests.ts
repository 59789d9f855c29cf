import * as fc from 'fast-check';
import { PROFILES } from '../../../contracts/judging/profile.ts';
import type { Contract } from '../../../contracts/document/schema.ts';
import { API_NAMES } from '../../../contracts/service/wire/apis.ts';
import type { Exchange } from '../../../contracts/wire/exchange.ts';
import { NO_LIMITS } from '../../../fixtures/service/faults/limits/load-kit.ts';
import { generatorsOf } from '../../../fixtures/service/generators/index.ts';
import { stillMeant } from '../../../fixtures/arbitraries/still-meant.ts';
import {
  createReferenceService,
  defaultReferenceOptions,
} from '../../../fixtures/service/reference/index.ts';
import { type Client, createClient } from '../../../target/transport/client.ts';
import { fromFetch } from '../../../target/transport/fetch-transport.ts';
import { createRedactor } from '../../../target/redaction/redactor.ts';
import { createVirtualClock } from '../../../fixtures/clocks/virtual-clock.ts';
import type { LoadCase } from './load-case.ts';
import { openGate } from './virtual-load.ts';
import type { PreparedRequest } from '../../../load/engines/engine.ts';
import { driveListings } from '../drive/listings.ts';
import { createRandom, type Random } from '../../drive/random.ts';
import { createSession } from '../../drive/session.ts';
import { triedOf } from '../../drive/as-generated.ts';
import { IN_PROCESS_URLS } from '../in-process-urls.ts';
import { TYPED_ERRORS } from '../../../contracts/service/wire/error-body.ts';
import { DRIVEN } from '../driving.ts';

/** This many requests of each generator; a service under load sees each of them many times. */
const EACH = 12;

/** A service on which nothing is asked at once and no limit is met, and its client. */
interface Quiet {
  readonly client: Client;
  readonly random: Random;
  readonly close: () => Promise<void>;
}

function openQuietly({ apply, options }: LoadCase, seed: number): Quiet {
  const clock = createVirtualClock(Date.UTC(2026, 0, 1));
  const random = createRandom(seed);
  const environment = {
    now: () => clock.nowMs(),
    randomUint32: () => random.integer(0, 0xffffffff),
  };
  const plain = createReferenceService({
    ...defaultReferenceOptions({ seed, environment, baseUrls: IN_PROCESS_URLS }),
    ...options,
    ...NO_LIMITS,
  });
  const sleep = (ms: number): Promise<void> => clock.sleep(ms);
  const service = apply(plain, seed, { now: environment.now, sleep });
  const { zap: zapUrl, trade: tradeUrl } = IN_PROCESS_URLS;
  const client = createClient({
    isThrottled: TYPED_ERRORS.isThrottled,
    config: { zapUrl, tradeUrl, timeoutMs: 10_000, maxBodyBytes: 4_194_304 },
    transport: fromFetch((request) =>
      service.fetch(request.url.startsWith(zapUrl) ? 'zap' : 'trade', request, '127.0.0.1'),
    ),
    redactor: createRedactor({}),
    governor: openGate(clock),
    clock,
  });
  return { client, random, close: () => service.close() };
}

/**
 * Valid requests for the world of a service, as load sends them, learned from the service itself while
 * nothing else is asked and no limit is met.
 */
export async function loadRequests(
  one: LoadCase,
  seed: number,
  contract: Contract,
): Promise<PreparedRequest[]> {
  const { client, random, close } = openQuietly(one, seed);
  const session = createSession({
    service: DRIVEN,
    ...{ client, contract, random, apis: new Set(API_NAMES), known: [] },
    keyedCredential: 'none',
    depth: PROFILES.gate,
    progress: () => undefined,
  });
  await driveListings(session);
  await close();
  return generatorsOf(session.world, contract).flatMap(
    ({ plain: { api, method, path }, arbitrary }) => {
      const operation = contract.find(api, method, path)?.id ?? api;
      return fc
        .sample(arbitrary, { seed, numRuns: EACH })
        .filter((request) => request.purpose.kind === 'valid' && stillMeant(contract, request))
        .map((request) => ({ operation, request: triedOf(session, request) }));
    },
  );
}

/** What the service without faults answers to each of these requests. */
export async function answersOf(seed: number, contract: Contract): Promise<Exchange[]> {
  const clean: LoadCase = { load: 'crowd', apply: (service) => service };
  const { client, close } = openQuietly(clean, seed);
  const exchanges: Exchange[] = [];
  for (const { request } of await loadRequests(clean, seed, contract)) {
    exchanges.push(await client.send(request));
  }
  await close();
  return exchanges;
}
