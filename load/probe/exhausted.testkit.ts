/** Stages that begin with a known limit, on a service that is a function, and a clock that takes no time. */

import type { LimitEstimate } from '../../contracts/run/load/limit-measurement.ts';
import type { HeaderList } from '../../contracts/wire/exchange.ts';
import { createEventClock } from '../../fixtures/clocks/event-clock.ts';
import type { Ask, ProbeTarget } from './bucket.ts';
import { bucketsOf } from '../service/buckets.ts';
import { reportedOf, type Reported } from './sender.ts';
import { drawsOf } from './draws.ts';
import type { ProbedBucket, Probing } from './probing.ts';
import { createBudgetLeft } from './budget-left.ts';
import { TYPED_ERRORS } from '../../contracts/service/wire/error-body.ts';
import { rejectionReading } from './rejections.ts';

const START_MS = Date.UTC(2026, 0, 1);

/** An answer, by its status alone or with fields. */
export type Answer = number | { readonly status: number; readonly headers: HeaderList };

/** Decides on a request; `atMs` counts from the beginning of the stage. */
export type Decides = (ask: Ask, atMs: number) => Answer;

/** What is so when a stage begins. */
export interface Scene {
  readonly decides: Decides;
  readonly estimate?: LimitEstimate;
  readonly tripMs?: number;
  readonly seed?: number;
  readonly target?: Partial<ProbeTarget>;
  readonly maxRejects?: number;
  readonly fullSeconds?: number;
}

/** A limit of 10 in 60 s. */
export const TEN: LimitEstimate = {
  verdict: 'identified',
  algorithms: ['fixed-window'],
  limit: 10,
  windowSeconds: 60,
};

/** A probed bucket of zap and all that a stage on it needs, with the requests that it will send. */
export function sceneOf(scene: Scene): {
  readonly probed: ProbedBucket;
  readonly probing: Probing;
  readonly asked: { readonly ask: Ask; readonly reported: Reported }[];
} {
  const { decides, estimate = TEN, tripMs = 7, fullSeconds = 60 } = scene;
  const clock = createEventClock(START_MS);
  const { signal } = new AbortController();
  const budgetLeft = createBudgetLeft(
    { maxRequests: 1000, maxRejects: 1000, maxSeconds: 900, maxRatePerSecond: 1000 },
    clock,
    signal,
  );
  const asked: { ask: Ask; reported: Reported }[] = [];
  const { maxRejects = 60 } = scene;
  const rejects = (): number =>
    asked.filter(({ reported }) => reported.outcome === 'rejected').length;
  const left = {
    get requests() {
      return 1000 - asked.length;
    },
    get rejects() {
      return maxRejects - rejects();
    },
    get seconds() {
      return budgetLeft.left.seconds;
    },
  };
  const sender = async (ask: Ask): Promise<Reported> => {
    const sentAtMs = clock.nowMs();
    await clock.sleep(tripMs / 2);
    const answer = decides(ask, clock.nowMs() - START_MS);
    await clock.sleep(tripMs / 2);
    const { status, headers } =
      typeof answer === 'number' ? { status: answer, headers: [] } : answer;
    const reported = reportedOf(
      {
        id: `x${asked.length}`,
        api: ask.api,
        purpose: { kind: 'unknown' },
        relations: [],
        request: {
          method: ask.method,
          url: 'http://zap.test/',
          path: ask.path,
          headers: [],
          body: null,
        },
        outcome: {
          kind: 'response',
          response: { status, headers, body: { encoding: 'utf8', text: '' } },
        },
        sentAtMs,
        latencyMs: clock.nowMs() - sentAtMs,
      },
      900,
      rejectionReading(TYPED_ERRORS),
    );
    asked.push({ ask, reported });
    return reported;
  };
  const target = { apis: ['zap'] as const, keys: [], ...scene.target };
  const [bucket] = bucketsOf(target);
  const facts = { estimate, intervals: {}, confidence: 1 };
  return {
    probed: { bucket, facts, reported: [], fullSeconds } as unknown as ProbedBucket,
    probing: {
      sender,
      clock,
      budgetLeft: { ...budgetLeft, left, sleep: (ms) => budgetLeft.sleep(ms), lastMs: () => 0 },
      signal,
      say: () => undefined,
      random: drawsOf(scene.seed ?? 1),
    },
    asked,
  };
}

/** Counts each client, as `whose` names them, in a window that does not end. */
export function counting(whose: (ask: Ask) => string, limit = 10): Decides {
  const counts = new Map<string, number>();
  return (ask) => {
    const name = whose(ask);
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count <= limit ? 200 : 429;
  };
}

/** A bucket that everybody shares, full at first. */
export function dripping(burst: number, perSecond: number): Decides {
  let [tokens, lastMs] = [burst, 0];
  return (_, atMs) => {
    tokens = Math.min(burst, tokens + ((atMs - lastMs) * perSecond) / 1000);
    lastMs = atMs;
    if (tokens < 1) return 429;
    tokens -= 1;
    return 200;
  };
}

/** The address that a request says to come from. */
export function forwardedFor({ headers = [] }: Ask): string | undefined {
  return headers.find(([name]) => name === 'X-Forwarded-For')?.[1];
}
