import { Judge, type RuleResult } from '../../../contracts/judging/judge.ts';
import type { LoadViolation } from '../../../contracts/run/load/load-run.ts';
import { REGISTRY, RULES } from '../../../contracts/service/registry.ts';
import type { Contract } from '../../../contracts/document/schema.ts';
import type { Exchange } from '../../../contracts/wire/exchange.ts';
import type { LoadDecorator, LoadShape } from '../../../fixtures/service/faults/limits/load-kit.ts';
import {
  createReferenceService,
  defaultReferenceOptions,
} from '../../../fixtures/service/reference/index.ts';
import { type Client, createClient } from '../../../target/transport/client.ts';
import type { Clock } from '../../../target/budget/clock.ts';
import { createRedactor } from '../../../target/redaction/redactor.ts';
import { fromFetch } from '../../../target/transport/fetch-transport.ts';
import type { Transport } from '../../../target/transport/transport.ts';
import { createEventClock } from '../../../fixtures/clocks/event-clock.ts';
import { jitteryTrips } from './network.ts';
import type { PreparedRequest } from '../../../load/engine.ts';
import { rulesOfAnswers } from '../../../load/judging/answer-judge.ts';
import { openLiveJudge } from '../../../load/judging/live-judge.ts';
import type { Scenario } from '../../../load/scenarios/scenario.ts';
import { scheduleOf } from '../../../load/scenarios/schedule.ts';
import { createRandom, type Random } from '../../drive/random.ts';
import { IN_PROCESS_URLS } from '../in-process-urls.ts';
import { startKeyTwins } from '../load-mix/key-twins.ts';
import { openGate, runVirtually } from './virtual-load.ts';
import { TYPED_ERRORS } from '../../../contracts/service/wire/error-body.ts';

/** A service to be put under load. */
export interface LoadCase extends LoadShape {
  readonly apply: LoadDecorator;
}

/** What came of it. */
export interface LoadCaseResult {
  readonly results: readonly RuleResult[];
  readonly violations: readonly LoadViolation[];
  /** Names of the steps. */
  readonly steps: readonly string[];
  readonly requests: number;
  readonly kept: number;
}

const START_MS = Date.UTC(2026, 0, 1);
/** Keys that a service of the self-test knows; no secrets. */
export const KEYS: readonly string[] = ['key-of-one', 'key-of-another'];
const shared = {
  mix: {},
  endsWhenBroken: false,
  ceilings: { requests: 10_000, seconds: 600 },
} as const;

/** The loads that faults name, found within two thousand requests. */
export const LOADS: Readonly<Record<LoadShape['load'], Scenario>> = {
  crowd: {
    ...shared,
    name: 'crowd',
    purpose: 'What do many at once change?',
    steps: [
      { name: 'calm', seconds: 10, fromPerSecond: 10, toPerSecond: 10 },
      { name: 'crowd', seconds: 5, fromPerSecond: 400, toPerSecond: 400 },
    ],
    clients: { kind: 'keys', count: KEYS.length },
    onThrottle: 'go-on',
  },
  herd: {
    ...shared,
    name: 'herd',
    purpose: 'Does a crowd get through that comes back when the announced wait ends?',
    steps: [
      { name: 'crowd', seconds: 2, fromPerSecond: 120, toPerSecond: 120 },
      { name: 'coming back', seconds: 22, fromPerSecond: 0, toPerSecond: 0 },
    ],
    clients: { kind: 'addresses', count: 2 },
    onThrottle: 'come-back',
  },
};

/** Puts one service under load, in the same process, and judges as a load run is judged. */
export async function runLoadCase(
  one: LoadCase,
  seed: number,
  contract: Contract,
  requests: readonly PreparedRequest[],
): Promise<LoadCaseResult> {
  const clock = createEventClock(START_MS);
  const { transport, close } = transportTo(one, seed, clock);
  const { zap: zapUrl, trade: tradeUrl } = IN_PROCESS_URLS;
  const client = createClient({
    isThrottled: TYPED_ERRORS.isThrottled,
    config: { zapUrl, tradeUrl, timeoutMs: 60_000, maxBodyBytes: 1_000_000 },
    ...{ transport, clock, attempts: 1 },
    redactor: createRedactor({}),
    governor: openGate(clock),
  });
  try {
    return await judgedLoad(LOADS[one.load], seed, contract, requests, { client, clock });
  } finally {
    await close();
  }
}

/** Sends the requests of a scenario, and judges the answers as they come and again from the record. */
export async function judgedLoad(
  scenario: Scenario,
  seed: number,
  contract: Contract,
  requests: readonly PreparedRequest[],
  { client, clock }: { readonly client: Client; readonly clock: Clock },
): Promise<LoadCaseResult> {
  const schedule = scheduleOf(scenario);
  const rules = REGISTRY.underLoad(RULES);
  const record: Exchange[] = [];
  const keep = (exchange: Exchange): boolean => record.push(exchange) > 0;
  const judge = await openLiveJudge(
    { scenario, requests: schedule.slots, keep },
    { contract, rules, live: rulesOfAnswers(rules), utilization: () => 0 },
  );
  const twins = startKeyTwins({
    ...{ client, contract, requests, scenario, schedule, clock, rules, keep },
    newKey: uuidsOf(createRandom(seed)),
    signal: new AbortController().signal,
  });
  const picked = picksOf(requests, schedule.slots, createRandom(seed));
  await runVirtually({
    ...{ scenario, schedule, client, clock },
    choose: (slot) => picked[slot] ?? NEVER,
    sink: { exchange: judge.exchange },
    asClient: (request, at) =>
      scenario.clients.kind === 'addresses'
        ? { ...request, sourceAddress: `127.0.0.${at + 1}` }
        : request.api === 'trade'
          ? { ...request, credential: { bearer: KEYS[at] ?? '', public: true } }
          : request,
  });
  const beside = await twins.end();
  const { judged, violations } = await judge.end();
  const again = new Judge(rules, contract);
  for (const exchange of record) again.add(exchange);
  return {
    results: again.results(),
    violations: [...violations, ...beside],
    steps: scenario.steps.map(({ name }) => name),
    requests: judged.of + twins.sent(),
    kept: judged.kept,
  };
}

/** Each operation as often as the others. */
function picksOf(
  requests: readonly PreparedRequest[],
  count: number,
  random: Random,
): PreparedRequest[] {
  const operations = [...new Set(requests.map(({ operation }) => operation))];
  return Array.from({ length: count }, () => {
    const asked = operations[random.integer(0, operations.length - 1)];
    const own = requests.filter(({ operation }) => operation === asked);
    return own[random.integer(0, own.length - 1)] ?? NEVER;
  });
}

function uuidsOf(random: Random): () => string {
  return () => random.uuid();
}

const NEVER: PreparedRequest = {
  operation: 'none',
  request: { api: 'zap', method: 'GET', path: '/', purpose: { kind: 'unknown' } },
};

function transportTo(
  { apply, options }: LoadCase,
  seed: number,
  clock: Clock,
): { readonly transport: Transport; readonly close: () => Promise<void> } {
  const random = createRandom(seed);
  const trip = jitteryTrips(() => random.integer(0, 0xffffffff) / 0x100000000);
  const environment = {
    now: () => Math.floor(clock.nowMs()),
    sleep: (ms: number) => clock.sleep(ms),
    randomUint32: () => random.integer(0, 0xffffffff),
  };
  const plain = createReferenceService({
    ...defaultReferenceOptions({ seed, environment, baseUrls: IN_PROCESS_URLS }),
    apiKeys: KEYS,
    ...options,
  });
  const service = apply(plain, seed, { now: () => clock.nowMs(), sleep: environment.sleep });
  const direct = fromFetch((request, { sourceAddress }) => {
    const api = request.url.startsWith(IN_PROCESS_URLS.trade) ? 'trade' : 'zap';
    return service.fetch(api, request, sourceAddress);
  });
  const transport: Transport = async (request) => {
    const { ms, before } = trip();
    await clock.sleep(ms * before);
    const result = await direct(request);
    await clock.sleep(ms * (1 - before));
    return result;
  };
  return { transport, close: () => service.close() };
}
