import { NO_MORE, unreachableNotice } from '../../contracts/run/unreachable.ts';
import type { ErrorReading } from '../../contracts/wire/error-reading.ts';
import type { ApiName, FailureKind, HeaderList } from '../../contracts/wire/exchange.ts';
import type { Clock } from './clock.ts';
import { AdaptivePacer } from './adaptive-pacer.ts';
import { type Departure, Rate } from './rate.ts';
import { Interrupted, sleepInRun, throwIfInterrupted } from './interruption.ts';
import { requestedWaitsMs } from './retry-after.ts';
import { type Budget, BudgetExceeded } from './spent-budget.ts';

export { BudgetExceeded, Interrupted, sleepInRun, throwIfInterrupted };
export type { Budget };

/**
 * Thrown when an API has failed to answer several times in a row, or this machine to send to it; the request
 * was not sent.
 */
export class ApiUnreachable extends Error {
  override readonly name = 'ApiUnreachable';
  readonly api: ApiName;
  /** The message, with something else that follows than that the API is asked no more. */
  readonly saying: (so: string) => string;

  constructor(
    api: ApiName,
    lastFailure: string,
    of: 'machine' | { readonly hasAnswered: boolean },
  ) {
    const hasAnswered = of !== 'machine' && of.hasAnswered;
    const saying = (so: string): string =>
      of === 'machine'
        ? `this machine could not send to the ${api} API ${FAILURES_IN_A_ROW} times in a row, which says nothing of it: ${lastFailure}. ${so.slice(0, 1).toUpperCase()}${so.slice(1)}.`
        : unreachableNotice(api, FAILURES_IN_A_ROW, lastFailure, hasAnswered, so);
    super(saying(NO_MORE));
    this.api = api;
    this.saying = saying;
  }
}

/** A request that was let through. */
export interface Ticket {
  readonly api: ApiName;
  readonly sentMs: number;
}

/** What came of a request that was let through. */
export type Settlement =
  | { readonly kind: 'answered' }
  | { readonly kind: 'throttled'; readonly json: unknown; readonly headers: HeaderList }
  | { readonly kind: 'failed'; readonly failure: FailureKind; readonly message: string };

/** What a run has spent so far. */
export interface Spent {
  readonly requests: number;
  readonly rejects: number;
  readonly seconds: number;
}

/** Keeps a run inside its budget. */
export interface Governor {
  /**
   * Waits until a request to the API may be sent, first come first served.
   *
   * @throws {BudgetExceeded} when it never may
   * @throws {Interrupted} when the run is interrupted, also while waiting
   * @throws {ApiUnreachable} when the API has stopped answering
   */
  admit(api: ApiName): Promise<Ticket>;
  /** Says that an admitted request leaves now, its connection being there; at most once, before settling. */
  departed(ticket: Ticket): void;
  /** Says what came of an admitted request; to be called once for each ticket. */
  settle(ticket: Ticket, settlement: Settlement): void;
  /**
   * Waits for what is no request of the driver's, such as an approval. A wait that does not fit into
   * the run is not begun.
   *
   * @param ms what is negative or not a number is no wait
   * @throws {BudgetExceeded} when the run would be over before it
   * @throws {Interrupted} when the run is interrupted, also while waiting
   */
  sleep(ms: number): Promise<void>;
  /** The APIs that have stopped answering, each with the error that a request to it meets. */
  readonly unreachable: ReadonlyMap<ApiName, ApiUnreachable>;
  readonly spent: Spent;
}

const FAILURES_IN_A_ROW = 3;
/** Failures that mean nobody is there; a body too large or badly encoded is an answer of a kind. */
const NO_ANSWER: ReadonlySet<FailureKind> = new Set(['connect', 'timeout', 'closed']);

interface ApiState {
  hasAnswered: boolean;
  readonly pacer: AdaptivePacer;
  failuresInARow: number;
  /** Failures of this machine, which are none of the API's, and say nothing of those either. */
  unsentInARow: number;
  /** The end of the queue of requests to this API. */
  tail: Promise<unknown>;
}

/** Options of {@link createGovernor}. */
export interface GovernorOptions {
  readonly budget: Budget;
  readonly clock: Clock;
  /** The wait that the body of a throttled answer announces, as it stands there. */
  readonly waitIn: ErrorReading['waitIn'];
  /** When the run began, on the clock; now when absent. */
  readonly startedMs?: number;
  /** When the run must have sent its last request, if that is before its seconds are over; may move. */
  readonly sendUntilMs?: () => number;
  /** Ends all waiting, and lets nothing through any more. */
  readonly signal?: AbortSignal;
}

/** A governor. */
export function createGovernor({
  budget,
  clock,
  waitIn,
  signal,
  startedMs = clock.nowMs(),
  sendUntilMs = () => Infinity,
}: GovernorOptions): Governor {
  const endMs = startedMs + budget.maxSeconds * 1000;
  const rate = new Rate(budget.maxRate ?? Infinity);
  const departures = new WeakMap<Ticket, Departure>();
  const states = new Map<ApiName, ApiState>();
  const unreachable = new Map<ApiName, ApiUnreachable>();
  let requests = 0;
  let rejects = 0;
  let nextMs = startedMs;

  function stateOf(api: ApiName): ApiState {
    let state = states.get(api);
    if (state === undefined) {
      state = {
        pacer: new AdaptivePacer(),
        failuresInARow: 0,
        hasAnswered: false,
        unsentInARow: 0,
        tail: Promise.resolve(),
      };
      states.set(api, state);
    }
    return state;
  }

  function refuse(api: ApiName, readyMs: number): void {
    const lost = unreachable.get(api);
    if (lost !== undefined) throw lost;
    if (requests >= budget.maxRequests) throw new BudgetExceeded('requests', budget.maxRequests);
    if (rejects >= budget.maxRejects) throw new BudgetExceeded('rejects', budget.maxRejects);
    requireTime(readyMs);
  }

  /** No use in waiting for a time that is not part of the run. */
  function requireTime(readyMs: number): void {
    requireBefore(endMs, readyMs, false);
    requireBefore(sendUntilMs(), readyMs, true);
  }

  function requireBefore(untilMs: number, readyMs: number, judging: boolean): void {
    // What is no number is no wait.
    if (!(readyMs >= untilMs)) return;
    const nowMs = clock.nowMs();
    const waitSeconds = nowMs >= untilMs ? 0 : (readyMs - nowMs) / 1000;
    throw new BudgetExceeded('seconds', budget.maxSeconds, judging, waitSeconds);
  }

  async function waitForTurn(api: ApiName, state: ApiState): Promise<Ticket> {
    for (;;) {
      throwIfInterrupted(signal);
      const nowMs = clock.nowMs();
      const readyMs = Math.max(rate.readyMs(nowMs), nextMs, state.pacer.readyMs);
      refuse(api, readyMs);
      if (readyMs <= nowMs) {
        requests += 1;
        nextMs = nowMs + rate.spacingMs;
        state.pacer.sent(nowMs);
        const ticket = { api, sentMs: nowMs };
        departures.set(ticket, rate.letGo(nowMs));
        return ticket;
      }
      // An answer that comes in meanwhile may move the time, so look again afterwards.
      await sleepInRun(clock, readyMs - nowMs, signal);
    }
  }

  return {
    admit(api) {
      const state = stateOf(api);
      const turn = state.tail.then(() => waitForTurn(api, state));
      state.tail = turn.catch(() => undefined);
      return turn;
    },
    departed(ticket) {
      departures.get(ticket)?.left(clock.nowMs());
    },
    settle(ticket, settlement) {
      const { api, sentMs } = ticket;
      // If nobody saw it leave, it left when it was let through, or not at all.
      departures.get(ticket)?.left(sentMs);
      const state = stateOf(api);
      if (settlement.kind === 'failed' && settlement.failure === 'machine') {
        state.unsentInARow += 1;
        if (state.unsentInARow < FAILURES_IN_A_ROW || unreachable.has(api)) return;
        unreachable.set(api, new ApiUnreachable(api, settlement.message, 'machine'));
        return;
      }
      state.unsentInARow = 0;
      if (settlement.kind === 'failed' && NO_ANSWER.has(settlement.failure)) {
        state.failuresInARow += 1;
        if (state.failuresInARow < FAILURES_IN_A_ROW || unreachable.has(api)) return;
        unreachable.set(api, new ApiUnreachable(api, settlement.message, state));
        return;
      }
      state.failuresInARow = 0;
      state.hasAnswered = true;
      if (settlement.kind === 'throttled') {
        rejects += 1;
        const nowMs = clock.nowMs();
        const waits = requestedWaitsMs(waitIn(settlement.json), settlement.headers, nowMs);
        state.pacer.rejected(sentMs, nowMs, waits);
      } else {
        state.pacer.admitted(sentMs);
      }
    },
    async sleep(ms) {
      requireTime(clock.nowMs() + ms);
      await sleepInRun(clock, ms, signal);
    },
    unreachable,
    get spent(): Spent {
      return { requests, rejects, seconds: (clock.nowMs() - startedMs) / 1000 };
    },
  };
}
