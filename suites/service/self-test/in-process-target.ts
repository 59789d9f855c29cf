/** A reference service in the same process, on a clock that takes no time, for a probe to find. */

import type { Exchange } from '../../../contracts/wire/exchange.ts';
import type { Decorator } from '../../../fixtures/service/faults/fault.ts';
import {
  createReferenceService,
  defaultReferenceOptions,
  type ReferenceOptions,
} from '../../../fixtures/service/reference/index.ts';
import { type ClientOptions, createClient } from '../../../target/transport/client.ts';
import type { Clock } from '../../../target/budget/clock.ts';
import { createRedactor } from '../../../target/redaction/redactor.ts';
import type { Transport } from '../../../target/transport/transport.ts';
import { createSender } from '../../../load/probe/sender.ts';
import { drawsOf } from '../../../load/probe/draws.ts';
import type { Probing } from '../../../load/probe/probing.ts';
import { createBudgetLeft, type TargetBudget } from '../../../load/probe/budget-left.ts';
import { createEventClock } from '../../../fixtures/clocks/event-clock.ts';
import { TYPED_ERRORS } from '../../../contracts/service/wire/error-body.ts';
import { rejectionReading } from '../../../load/probe/rejections.ts';

/** The only key that the service knows; no secret. */
export const IN_PROCESS_KEY = 'in-process-key';

/** Nobody waits longer. */
export const MAX_WAIT_SECONDS = 900;

const URLS = {
  zap: 'http://zap.test',
  trade: 'http://trade.test',
  docs: 'http://docs.test',
  ai: 'http://ai.test',
};

/** What is probed, and over which network. */
export interface InProcessTarget {
  readonly options?: Partial<ReferenceOptions>;
  readonly apply?: Decorator;
  /** Epoch ms at which its clock begins. */
  readonly startMs: number;
  /** Decides the world of the service. */
  readonly seed: number;
  /** Round trips, ms, and which part of each is over when the service decides, from 0 to 1. */
  readonly trip: () => { readonly ms: number; readonly before: number };
  readonly budget: TargetBudget;
  readonly onExchange?: (exchange: Exchange) => void;
}

/** The service with all that a probe needs. */
export interface OpenTarget {
  readonly probing: Probing;
  /** Virtual seconds since the start. */
  readonly seconds: () => number;
  readonly close: () => Promise<void>;
}

/** Opens a service to be probed. The same target gives the same answers at the same moments. */
export function openInProcess(target: InProcessTarget): OpenTarget {
  const { onExchange, budget, startMs, seed } = target;
  const clock = createEventClock(startMs);
  const { transport, close } = transportTo(target, clock);
  const config = { zapUrl: URLS.zap, tradeUrl: URLS.trade, timeoutMs: 60_000 };
  const listeners = onExchange === undefined ? [] : [onExchange];
  return {
    probing: probingBy({ config, transport, clock, listeners }, budget, seed),
    seconds: () => (clock.nowMs() - startMs) / 1000,
    close,
  };
}

/** What a probe needs of a service that a transport leads to; the seed decides its draws. */
export function probingBy(
  own: Pick<ClientOptions, 'transport' | 'clock' | 'listeners'> & {
    readonly config: Omit<ClientOptions['config'], 'maxBodyBytes'>;
  },
  budget: TargetBudget,
  seed: number,
): Probing {
  const { clock, config } = own;
  const { signal } = new AbortController();
  const budgetLeft = createBudgetLeft(budget, clock, signal);
  const client = createClient({
    ...own,
    config: { ...config, maxBodyBytes: 1_000_000 },
    isThrottled: TYPED_ERRORS.isThrottled,
    redactor: createRedactor({}),
    governor: budgetLeft,
    attempts: 1,
  });
  const sender = createSender(client, MAX_WAIT_SECONDS, rejectionReading(TYPED_ERRORS));
  return { sender, clock, budgetLeft, signal, say: () => undefined, random: drawsOf(seed) };
}

function transportTo(
  { options, apply = (service) => service, seed, trip }: InProcessTarget,
  clock: Clock,
): { readonly transport: Transport; readonly close: () => Promise<void> } {
  let randomness = 0;
  const environment = {
    now: () => Math.floor(clock.nowMs()),
    sleep: (ms: number) => clock.sleep(ms),
    randomUint32: () => (randomness = (randomness + 0x9e3779b1) >>> 0),
  };
  const all = {
    ...defaultReferenceOptions({ seed, environment, baseUrls: URLS }),
    apiKeys: [IN_PROCESS_KEY],
    ...options,
  };
  const service = apply(createReferenceService(all), seed);
  const transport: Transport = async (request) => {
    const { url, method, headers, body, sourceAddress = '127.0.0.1' } = request;
    const { ms, before } = trip();
    await clock.sleep(ms * before);
    const asked = new Request(url, {
      method,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      body: body === null ? null : Buffer.from(body),
    });
    const response = await service
      .fetch(url.startsWith(URLS.trade) ? 'trade' : 'zap', asked, sourceAddress)
      // As the listener answers what a service throws.
      .catch(() => new Response('{}', { status: 500 }));
    const bytes = new Uint8Array(await response.arrayBuffer());
    await clock.sleep(ms * (1 - before));
    const { status } = response;
    return { kind: 'response', status, headers: [...response.headers], body: bytes };
  };
  return { transport, close: () => service.close() };
}
