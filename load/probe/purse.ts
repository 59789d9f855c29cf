/** The hard budget of a limit probe: it never backs off, and never sends more than it may. */

import type { ApiName } from '../../contracts/wire/exchange.ts';
import type { Clock } from '../../fixtures/target/clock.ts';
import { BudgetExceeded, type Governor } from '../../fixtures/target/governor.ts';

/** What a probe of a target may spend in all. */
export interface ProbePurse {
  readonly maxRequests: number;
  /** Throttled answers. */
  readonly maxRejects: number;
  readonly maxSeconds: number;
  /** Requests per second; evenly spaced. */
  readonly maxRatePerSecond: number;
}

/** A purse with what is left in it. It is the governor of the client that the probe sends with. */
export interface Purse extends Governor {
  readonly left: { readonly requests: number; readonly rejects: number; readonly seconds: number };
  /** Spacing of requests, ms. */
  readonly spacingMs: number;
  /** When the last request to an API was let through, on the clock; 0 before the first. */
  readonly lastMs: (api: ApiName) => number;
}

/**
 * A purse; its time begins now. `admit` throws {@link BudgetExceeded} once it is empty, also when the
 * signal has ended the probe: then it rejects with the signal's reason.
 */
export function createPurse(
  budget: ProbePurse,
  clock: Clock,
  signal?: AbortSignal,
  startedMs: number = clock.nowMs(),
): Purse {
  const spacingMs = 1000 / budget.maxRatePerSecond;
  let requests = 0;
  let rejects = 0;
  let nextMs = startedMs;
  const lastMs = new Map<ApiName, number>();
  const secondsSoFar = (): number => (clock.nowMs() - startedMs) / 1000;
  return {
    spacingMs,
    async admit(api) {
      signal?.throwIfAborted();
      if (requests >= budget.maxRequests) throw new BudgetExceeded('requests', budget.maxRequests);
      if (rejects >= budget.maxRejects) throw new BudgetExceeded('rejects', budget.maxRejects);
      if (secondsSoFar() >= budget.maxSeconds) {
        throw new BudgetExceeded('seconds', budget.maxSeconds);
      }
      requests += 1;
      const nowMs = clock.nowMs();
      const turnMs = Math.max(nowMs, nextMs);
      nextMs = turnMs + spacingMs;
      // A timer is a millisecond late at best, so less is not worth one.
      if (turnMs > nowMs + 1) await clock.sleep(turnMs - nowMs, signal);
      const sentMs = clock.nowMs();
      lastMs.set(api, sentMs);
      return { api, sentMs };
    },
    settle(_ticket, { kind }) {
      if (kind === 'throttled') rejects += 1;
    },
    unreachable: new Set(),
    lastMs: (api) => lastMs.get(api) ?? 0,
    get spent() {
      return { requests, rejects, seconds: secondsSoFar() };
    },
    get left() {
      return {
        requests: budget.maxRequests - requests,
        rejects: budget.maxRejects - rejects,
        seconds: budget.maxSeconds - secondsSoFar(),
      };
    },
  };
}
