import { announcedWait, type WaitHabit } from '../../../fixtures/known-limiters/announced-wait.ts';
import { chanceOf } from '../../../fixtures/known-limiters/chance.ts';
import type { TestLimiter } from './limiters.testkit.ts';
import { runProbe, type ProbeResult } from '../planner/run-probe.ts';
import { DEFAULT_BUDGET, type ProbeBudget } from '../planner/plan.ts';
import type { ProbeEvent, WallClock } from '../transcript.ts';

/** A service on a virtual clock. */
export interface SimulatedService {
  readonly limiter: TestLimiter;
  readonly seed: number;
  readonly roundTripMs: number;
  readonly jitterMs: number;
  readonly retryAfter: WaitHabit;
  /** What `constant` says, s. */
  readonly windowSeconds?: number;
  readonly wall?: WallClock;
  /** What a busy machine takes between two bursts; nothing by default. */
  readonly pauseMs?: number;
  readonly signal?: AbortSignal;
  readonly budget?: Partial<ProbeBudget>;
}

/** Uniform numbers from 0 to 1 that repeat with the seed. */
export function chance(seed: number): () => number {
  return chanceOf(seed).uniform;
}

/** Probes a simulated service; takes no time. */
export function simulate(service: SimulatedService): Promise<ProbeResult> {
  const random = chance(service.seed);
  let nowMs = 0;
  interface Pending {
    readonly sentMs: number;
    readonly decidedMs: number;
    readonly doneMs: number;
    readonly resolve: (event: ProbeEvent) => void;
  }
  let pending: Pending[] = [];
  const flush = (): void => {
    const batch = pending.sort((a, b) => a.decidedMs - b.decidedMs);
    pending = [];
    for (const { sentMs, decidedMs, doneMs, resolve } of batch) {
      const answer = service.limiter.decide(decidedMs, doneMs);
      const receivedMs = doneMs + (answer.delayMs ?? 0);
      nowMs = Math.max(nowMs, receivedMs);
      const reported = answer.admitted
        ? undefined
        : announcedWait(service.retryAfter, answer.waitMs, service.windowSeconds);
      resolve({
        sentMs,
        receivedMs,
        outcome: answer.admitted ? 'admitted' : 'rejected',
        ...(reported === undefined ? {} : { retryAfterSeconds: reported }),
      });
    }
    nowMs += service.pauseMs ?? 0;
  };
  const send = (): Promise<ProbeEvent> =>
    new Promise((resolve) => {
      if (pending.length === 0) queueMicrotask(flush);
      const trip = service.roundTripMs - Math.log(1 - random()) * service.jitterMs;
      const decidedMs = nowMs + trip * (0.2 + 0.6 * random());
      pending.push({ sentMs: nowMs, decidedMs, doneMs: nowMs + trip, resolve });
    });
  return runProbe(
    {
      send,
      nowMs: () => nowMs,
      sleepMs: (durationMs) => {
        nowMs += durationMs + random() * 2;
        return Promise.resolve();
      },
    },
    {
      budget: { ...DEFAULT_BUDGET, maxSeconds: 50_000, ...service.budget },
      ...(service.wall === undefined ? {} : { wall: service.wall }),
      ...(service.signal === undefined ? {} : { signal: service.signal }),
    },
  );
}
