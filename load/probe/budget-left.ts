/** The hard budget of a limit probe: it never backs off, and never sends more than it may. */

import { setMaxListeners } from 'node:events';
import type { ApiName } from '../../contracts/wire/exchange.ts';
import type { Clock } from '../../target/budget/clock.ts';
import {
  BudgetExceeded,
  type Governor,
  sleepInRun,
  throwIfInterrupted,
  type Ticket,
} from '../../target/budget/governor.ts';
import { type Departure, Rate } from '../../target/budget/rate.ts';

/** What a probe of a target may spend in all. */
export interface TargetBudget {
  readonly maxRequests: number;
  /** Throttled answers. */
  readonly maxRejects: number;
  readonly maxSeconds: number;
  /** Requests that leave in any second at most; evenly spaced, fractions as {@link Rate} has them. */
  readonly maxRatePerSecond: number;
}

/** Thrown when a wait does not fit into what is left of the run's time; it was not begun. */
export class WaitTooLong extends Error {
  override readonly name = 'WaitTooLong';

  /** @param wantedMs Infinity where nobody knows how long it would be */
  constructor(what: string, wantedMs: number, leftMs: number) {
    const left = `--max-seconds leaves ${secondsOf(Math.max(0, leftMs))}`;
    super(
      Number.isFinite(wantedMs)
        ? `${what} would take ${secondsOf(wantedMs)}, and ${left}.`
        : `nobody knows how long ${what} would take, and ${left}.`,
    );
  }
}

/** `12.3 s`, or `450 s`. */
function secondsOf(ms: number): string {
  return `${ms < 99_950 ? Math.round(ms / 100) / 10 : Math.round(ms / 1000)} s`;
}

/**
 * A budget with what is left in it. It is the governor of the client that the probe sends with, and all
 * waiting of the probe goes by it, since it knows the time that is left.
 */
export interface BudgetLeft extends Governor {
  readonly left: { readonly requests: number; readonly rejects: number; readonly seconds: number };
  /** Spacing of requests, ms. */
  readonly spacingMs: number;
  /** When the last request to an API was let through, on the clock; 0 before the first. */
  readonly lastMs: (api: ApiName) => number;
  /**
   * Waits: the one way in which a probe does. What does not fit into the time that is left is not begun.
   *
   * @param ms what is negative or not a number is no wait
   * @param what is waited for, as in `the end of the announced wait`
   * @throws {WaitTooLong} at once, when less time is left
   * @throws {Interrupted} when the run is interrupted, also while waiting
   */
  sleep(ms: number, what?: string): Promise<void>;
}

/**
 * A budget; its time begins now. `admit` throws {@link BudgetExceeded} once it is empty or when its time
 * ends before the turn of the request, and once the signal has ended the probe {@link Interrupted}.
 */
export function createBudgetLeft(
  budget: TargetBudget,
  clock: Clock,
  signal?: AbortSignal,
  startedMs: number = clock.nowMs(),
): BudgetLeft {
  // A burst of requests waits for its turns, each with a listener.
  if (signal !== undefined) setMaxListeners(100, signal);
  const endMs = startedMs + budget.maxSeconds * 1000;
  const rate = new Rate(budget.maxRatePerSecond);
  const departures = new WeakMap<Ticket, Departure>();
  const lastMs = new Map<ApiName, number>();
  let requests = 0;
  let rejects = 0;
  let nextMs = startedMs;

  function refuse(turnMs: number): void {
    throwIfInterrupted(signal);
    if (rejects >= budget.maxRejects) throw new BudgetExceeded('rejects', budget.maxRejects);
    if (turnMs >= endMs) throw new BudgetExceeded('seconds', budget.maxSeconds);
  }

  return {
    spacingMs: rate.spacingMs,
    async admit(api) {
      const comesMs = clock.nowMs();
      const turnMs = Math.max(comesMs, nextMs);
      refuse(turnMs);
      if (requests >= budget.maxRequests) throw new BudgetExceeded('requests', budget.maxRequests);
      requests += 1;
      nextMs = turnMs + rate.spacingMs;
      try {
        // Those that a late timer held up do not go together: each looks again when its turn has come.
        for (;;) {
          const nowMs = clock.nowMs();
          const readyMs = Math.max(turnMs, rate.readyMs(nowMs));
          refuse(readyMs);
          if (readyMs <= nowMs + TIMER_MS) break;
          await sleepInRun(clock, readyMs - nowMs, signal);
        }
      } catch (error) {
        requests -= 1;
        throw error;
      }
      const sentMs = clock.nowMs();
      lastMs.set(api, sentMs);
      const ticket = { api, sentMs };
      departures.set(ticket, rate.letGo(sentMs));
      return ticket;
    },
    departed(ticket) {
      departures.get(ticket)?.left(clock.nowMs());
    },
    settle(ticket, { kind }) {
      departures.get(ticket)?.left(ticket.sentMs);
      if (kind === 'throttled') rejects += 1;
    },
    async sleep(ms, what = 'a wait') {
      const leftMs = endMs - clock.nowMs();
      if (ms > leftMs) throw new WaitTooLong(what, ms, leftMs);
      await sleepInRun(clock, ms, signal);
    },
    unreachable: new Map(),
    lastMs: (api) => lastMs.get(api) ?? 0,
    get spent() {
      return { requests, rejects, seconds: (clock.nowMs() - startedMs) / 1000 };
    },
    get left() {
      return {
        requests: budget.maxRequests - requests,
        rejects: budget.maxRejects - rejects,
        seconds: (endMs - clock.nowMs()) / 1000,
      };
    },
  };
}

/** A timer is a millisecond late at best, so less than about that is not worth one. */
const TIMER_MS = 1.1;
