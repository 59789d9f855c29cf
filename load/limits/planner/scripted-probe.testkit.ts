/**
 * A probe for tests, on a clock that takes no time: it knows what to ask, and measures by looking often
 * where a real one must choose its moments.
 */
import type {
  FanOut,
  FanOutKind,
  FanOutTrial,
  LimitEstimate,
  LimitMeasurement,
  ProbeOutcome,
} from '../../../contracts/run/load/limit-measurement.ts';
import { TYPED_ERRORS } from '../../../contracts/service/wire/error-body.ts';
import type { HeaderList } from '../../../contracts/wire/exchange.ts';
import type { Decorator } from '../../../fixtures/service/faults/fault.ts';
import {
  defaultReferenceOptions,
  type ReferenceOptions,
} from '../../../fixtures/service/reference/index.ts';
import { echoDomain } from '../../../fixtures/service/reference/reference.testkit.ts';
import { createService } from '../../../fixtures/service/reference/service.ts';
import { createVirtualClock } from '../../../fixtures/clocks/virtual-clock.ts';
import { headerClaims, type ReportedEvent } from '../claims/header-claims.ts';
import { recoveriesOf } from '../claims/recoveries.ts';
import { remainingTruth } from '../claims/remaining-truth.ts';
import { waitTruths } from '../claims/retry-after-truth.ts';

const START_MS = Date.UTC(2026, 0, 1, 0, 0, 0, 400);
const TRIP_MS = 10;
const POLL_MS = 150;
const MOST = 60;
const TRIALS = 3;
const KEY = 'key-one';
const OTHER_KEY = 'key-two';
const BASE = {
  zap: 'http://zap.test',
  trade: 'http://trade.test',
  docs: 'http://docs.test',
  ai: 'http://ai.test',
};

/** What a service is probed with. */
export interface Probed {
  readonly apply: Decorator;
  readonly options?: Partial<ReferenceOptions>;
}

interface Reported extends ReportedEvent {
  readonly json: unknown;
  readonly bodyWait: unknown;
}

interface Ask {
  readonly path?: string;
  readonly from?: string;
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

const BESIDE_A_KEY: readonly (readonly [FanOutKind, Ask])[] = [
  ['without-key', { key: undefined }],
  ['other-key', { key: OTHER_KEY }],
];

/** Probes one bucket: an address without a key, or the holder of one. */
export async function probe(
  { apply, options }: Probed,
  api: 'zap' | 'trade',
  client: 'address' | 'key' = 'address',
): Promise<LimitMeasurement> {
  const clock = createVirtualClock(START_MS);
  const environment = {
    now: () => clock.nowMs(),
    sleep: (ms: number) => clock.sleep(ms),
    randomUint32: counter(),
  };
  const required = { seed: 1, environment, baseUrls: BASE };
  const all = { ...defaultReferenceOptions(required), apiKeys: [KEY, OTHER_KEY], ...options };
  const service = apply(createService(all, echoDomain()), 1);
  const key = client === 'key' ? KEY : undefined;

  const ask = async (one: Ask = {}): Promise<Reported> => {
    const { path = api === 'zap' ? '/v1/config/chains' : '/v1/quotes', from = '127.0.0.1' } = one;
    const credential = 'key' in one ? one.key : key;
    const headers = {
      ...one.headers,
      'Content-Type': 'application/json',
      ...(credential === undefined ? {} : { Authorization: `Bearer ${credential}` }),
    };
    const init = api === 'zap' ? { headers } : { method: 'POST', body: '{"data":[]}', headers };
    const sentMs = clock.nowMs() - START_MS;
    await clock.sleep(TRIP_MS / 2);
    const response = await service.fetch(api, new Request(BASE[api] + path, init), from);
    const json: unknown = await response.json();
    const bodyWait = TYPED_ERRORS.waitIn(json);
    await clock.sleep(TRIP_MS / 2);
    const receivedEpochMs = clock.nowMs();
    const outcome = TYPED_ERRORS.isThrottled(response.status, json) ? 'rejected' : 'admitted';
    const answered: HeaderList = [...response.headers];
    const receivedMs = receivedEpochMs - START_MS;
    return { sentMs, receivedMs, receivedEpochMs, outcome, headers: answered, json, bodyWait };
  };

  const exhaust = async (): Promise<Reported[]> => {
    const events = [await ask()];
    while (events.at(-1)?.outcome === 'admitted' && events.length < MOST) events.push(await ask());
    return events;
  };
  const silence = (): Promise<void> => clock.sleep(100_000);

  /** Looks again and again, where asking puts nothing off. */
  const watched = async (): Promise<Reported[]> => {
    const events = await exhaust();
    while (events.at(-1)?.outcome === 'rejected' && events.length < 10 * MOST) {
      await clock.sleep(POLL_MS);
      events.push(await ask());
    }
    return events;
  };
  /** Waits as long as the body says, in seconds, each time that it is refused. */
  const obedient = async (before: readonly Reported[]): Promise<Reported[]> => {
    const events = [...before];
    for (let tries = 0; tries < 5 && events.at(-1)?.outcome === 'rejected'; tries += 1) {
      const { retryAfter } = events.at(-1)?.json as { retryAfter?: number };
      await clock.sleep(Math.min(100_000, (retryAfter ?? 1) * 1000) + TRIP_MS);
      events.push(await ask());
    }
    return events;
  };

  const kinds: readonly (readonly [FanOutKind, Ask])[] = [
    ['other-address', { from: '127.0.0.2' }],
    ['forged-forwarded-for', { headers: { 'X-Forwarded-For': '203.0.113.7' } }],
    ['other-route', api === 'zap' ? { path: '/v1/pools' } : { path: '/v1/buildTx' }],
    ['trailing-slash', { path: api === 'zap' ? '/v1/config/chains/' : '/v1/quotes/' }],
    ...(api === 'trade' && client === 'address' ? [['with-key', { key: KEY }] as const] : []),
    ...(client === 'key' ? BESIDE_A_KEY : []),
  ];
  const before = await ask(kinds[0]?.[1]);
  const keyed = api === 'trade' && client === 'address' ? await ask({ key: KEY }) : undefined;
  const admittedBefore: Partial<Record<FanOutKind, ProbeOutcome | undefined>> = {
    'other-address': before.outcome,
    'with-key': keyed?.outcome,
  };
  for (const [kind, one] of client === 'key' ? BESIDE_A_KEY : []) {
    admittedBefore[kind] = (await ask(one)).outcome;
  }
  const burst = await exhaust();
  const rejected = burst.at(-1)?.outcome === 'rejected';
  const fanOut: FanOut[] = [];
  if (rejected) {
    for (const [kind, one] of kinds) {
      const trials: FanOutTrial[] = [];
      const earlier = admittedBefore[kind] === 'admitted' ? 1 : 0;
      while (trials.length < TRIALS) {
        const { outcome } = await ask(one);
        const plain = await ask();
        burst.push(plain);
        const own = trials.filter((trial) => trial.outcome === 'admitted').length;
        const admitted = kind === 'forged-forwarded-for' ? 0 : earlier + own;
        trials.push({ before: 'rejected', outcome, after: plain.outcome, admitted });
      }
      const isApart = trials.every(({ outcome }) => outcome === 'admitted');
      fanOut.push({
        ...{ kind, trials, admittedBefore: earlier, witnesses: WITNESSES },
        ...(isApart ? { chance: 1e-7 } : {}),
      });
    }
  }
  const delayed = await obedient(burst);
  await silence();
  const seen = rejected && !askingDelays(options, api) ? await watched() : [];
  await silence();
  const failures = api === 'zap' ? await failuresCount(ask) : 'undecided';

  const estimate = estimateOf(seen.length > 0 ? seen : delayed);
  const measured = [
    ...withRecoveries(delayed, askingDelays(options, api)),
    ...withRecoveries(seen, askingDelays(options, api)),
  ];
  const remaining = remainingTruth(seen, estimate);
  await service.close();
  return {
    api,
    client,
    estimate,
    waits: waitTruths(measured, TRIP_MS + POLL_MS),
    fanOut,
    failures,
    headerClaims: headerClaims(seen, estimate),
    ...(remaining === undefined ? {} : { remaining }),
    witnesses: WITNESSES,
  };
}

const WITNESSES = [
  { id: 'x00001', request: { method: 'GET', path: '/', headers: [], body: null } as never },
];

function counter(): () => number {
  let last = 0;
  return () => (last = (last + 0x9e3779b1) >>> 0);
}

function withRecoveries(
  events: readonly Reported[],
  delays: boolean,
): Parameters<typeof waitTruths>[0] {
  return [...recoveriesOf(events, delays)].flatMap(([index, recovery]) => {
    const event = events[index];
    return event === undefined ? [] : [{ ...event, recovery }];
  });
}

/** Whether asking puts recovery off, which a real probe has to find out. */
function askingDelays(options: Probed['options'], api: 'zap' | 'trade'): boolean {
  const algorithm = options?.limits?.[api]?.algorithm;
  return algorithm === 'restart-on-reject' || algorithm === 'sliding-log-counting-rejects';
}

/** The limit and, as of a fixed window from the first request, how long it took to recover. */
function estimateOf(events: readonly Reported[]): LimitEstimate {
  const first = events[0];
  const limit = events.findIndex(({ outcome }) => outcome === 'rejected');
  const again = events.find(({ outcome }, at) => at > limit && outcome === 'admitted');
  const elapsed = (event: Reported | undefined): number =>
    ((event?.receivedMs ?? 0) - (first?.sentMs ?? 0)) / 1000;
  if (limit === -1) {
    const admitted = { requests: events.length, seconds: elapsed(events.at(-1)) };
    return { verdict: 'above-budget', algorithms: [], admitted };
  }
  const windowSeconds = again === undefined ? {} : { windowSeconds: elapsed(again) };
  return { verdict: 'identified', algorithms: ['fixed-window'], limit, ...windowSeconds };
}

/** Whether as many failures as exhaust a bucket do so. */
async function failuresCount(
  ask: (one?: Ask) => Promise<Reported>,
): Promise<LimitMeasurement['failures']> {
  for (let count = 0; count < MOST; count += 1) {
    const { outcome } = await ask({ path: '/v1/pools?limit=none' });
    if (outcome === 'rejected') return 'counted';
  }
  return 'not-counted';
}
