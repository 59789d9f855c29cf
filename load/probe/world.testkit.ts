/** A reference service on a clock that takes no time, probed as one over sockets is. */

import type { ReferenceOptions } from '../../fixtures/service/reference/index.ts';
import {
  createReferenceService,
  defaultReferenceOptions,
} from '../../fixtures/service/reference/index.ts';
import type { Decorator } from '../../fixtures/service/faults/fault.ts';
import { onHeaders } from '../../fixtures/service/faults/limits/limit-kit.ts';
import { createClient } from '../../target/transport/client.ts';
import type { Clock } from '../../target/budget/clock.ts';
import { createRedactor } from '../../target/redaction/redactor.ts';
import type { Transport, TransportResult } from '../../target/transport/transport.ts';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { createEventClock } from '../../fixtures/clocks/event-clock.ts';
import { createSender } from './sender.ts';
import type { ProbeDepth } from '../probe-depth.ts';
import { drawsOf } from './draws.ts';
import { probeTarget, type ProbedTarget, type ProbeTargetOptions } from './probe-target.ts';
import type { Probing } from './probing.ts';
import { createBudgetLeft, type TargetBudget } from './budget-left.ts';
import { rejectionReading } from './rejections.ts';
import { TYPED_ERRORS } from '../../contracts/service/wire/error-body.ts';
import { PROBED } from '../service/index.ts';

/** How long one exchange may take. */
export const TIMEOUT_MS = 10_000;
const START_MS = Date.UTC(2026, 0, 1, 0, 0, 2, 100);
const TRIP_MS = 7;
export const KEY = 'key-number-one';

/** How to probe, and what. */
export interface Staging {
  readonly options?: Partial<ReferenceOptions>;
  readonly apply?: Decorator;
  readonly target?: Partial<ProbeTargetOptions['target']>;
  readonly budget?: Partial<TargetBudget>;
  readonly depth?: ProbeDepth;
  /** Of what the probe draws. */
  readonly seed?: number;
  readonly mostWaitSeconds?: number;
  readonly throttleStatuses?: readonly number[];
  /** Answers in place of the service. */
  readonly answer?: (nth: number) => Response | undefined;
  /** Stands in for the network and the service: what comes of the nth request, and when. */
  readonly reply?: (nth: number, clock: Clock) => Promise<TransportResult>;
  readonly signal?: AbortSignal;
  readonly onExchange?: (exchange: Exchange) => void;
  readonly keep?: Probing['keep'];
}

/** What became of it. */
export interface Staged extends ProbedTarget {
  readonly exchanges: readonly Exchange[];
  readonly said: readonly string[];
  readonly seconds: number;
}

/** Says with no answer what is left, as the reference service does. */
export const withoutLeft: Decorator = onHeaders('zap', (headers) => {
  for (const name of [...headers.keys()]) if (name.startsWith('ratelimit')) headers.delete(name);
});

/** Probes the zap API alone, when nothing else is said. */
export async function stage(staging: Staging = {}): Promise<Staged> {
  const clock = createEventClock(START_MS);
  const exchanges: Exchange[] = [];
  const said: string[] = [];
  const signal = staging.signal ?? new AbortController().signal;
  const transport = transportTo(staging, clock);
  const budgetLeft = createBudgetLeft(
    {
      maxRequests: 1500,
      maxRejects: 150,
      maxSeconds: 900,
      maxRatePerSecond: 1000,
      ...staging.budget,
    },
    clock,
    signal,
  );
  const rejections = rejectionReading(TYPED_ERRORS, staging.throttleStatuses);
  const client = createClient({
    config: {
      zapUrl: 'http://zap.test',
      tradeUrl: 'http://trade.test',
      timeoutMs: TIMEOUT_MS,
      maxBodyBytes: 1_000_000,
    },
    transport,
    redactor: createRedactor({}),
    governor: budgetLeft,
    clock,
    attempts: 1,
    isThrottled: rejections.isThrottled,
    listeners: [
      (exchange) => {
        exchanges.push(exchange);
        staging.onExchange?.(exchange);
      },
    ],
  });
  const probed = await probeTarget(
    {
      service: PROBED,
      target: { apis: ['zap'], keys: [], ...staging.target },
      mostWaitSeconds: staging.mostWaitSeconds ?? 900,
      depth: staging.depth ?? 'normal',
      isLocal: true,
    },
    {
      sender: createSender(client, staging.mostWaitSeconds ?? 900, rejections),
      clock,
      budgetLeft,
      signal,
      say: (line) => said.push(line),
      random: drawsOf(staging.seed ?? 1),
      ...(staging.keep === undefined ? {} : { keep: staging.keep }),
    },
  );
  return { ...probed, exchanges, said, seconds: (clock.nowMs() - START_MS) / 1000 };
}

function transportTo({ options, apply, answer, reply }: Staging, clock: Clock): Transport {
  let randomness = 0;
  const service = (apply ?? ((plain) => plain))(
    createReferenceService({
      ...defaultReferenceOptions({
        seed: 1,
        environment: {
          now: () => Math.floor(clock.nowMs()),
          sleep: (ms: number) => clock.sleep(ms),
          randomUint32: () => (randomness = (randomness + 0x9e3779b1) >>> 0),
        },
        baseUrls: {
          zap: 'http://zap.test',
          trade: 'http://trade.test',
          docs: 'http://docs.test',
          ai: 'http://ai.test',
        },
      }),
      apiKeys: [KEY],
      ...options,
    }),
    1,
  );
  let sent = 0;
  return async ({ url, method, headers, body, sourceAddress = '127.0.0.1' }) => {
    sent += 1;
    if (reply !== undefined) return reply(sent, clock);
    await clock.sleep(TRIP_MS / 2);
    const api = url.startsWith('http://trade.test') ? 'trade' : 'zap';
    const request = new Request(url, {
      method,
      headers: headers.map(([a, b]): [string, string] => [a, b]),
      body: body === null ? null : Buffer.from(body),
    });
    // As the listener answers what the service throws.
    const serve = (): Promise<Response> =>
      service.fetch(api, request, sourceAddress).catch(() => new Response('{}', { status: 500 }));
    const response = answer?.(sent) ?? (await serve());
    const bytes = new Uint8Array(await response.arrayBuffer());
    await clock.sleep(TRIP_MS / 2);
    return {
      kind: 'response',
      status: response.status,
      headers: [...response.headers],
      body: bytes,
    };
  };
}
