/** What the limit probe saw of one bucket, in the order of sending. */

/** What a response reported of its limit, in whichever words; a hypothesis, never a fact. */
export interface LimitReport {
  readonly limit?: number;
  readonly windowSeconds?: number;
  readonly remaining?: number;
  readonly resetSeconds?: number;
}

/** One request. The service decided at some time from `sentMs` to `receivedMs`, nobody knows when. */
export interface ProbeEvent {
  /** On a monotonic clock, ms. */
  readonly sentMs: number;
  /** On the same clock, ms. */
  readonly receivedMs: number;
  /** `failed`: no usable answer, so that nobody knows whether it was counted. */
  readonly outcome: 'admitted' | 'rejected' | 'failed';
  readonly retryAfterSeconds?: number;
  readonly report?: LimitReport;
  /** Which burst it was sent in, where that is known: those of one went out at once. */
  readonly burst?: number;
}

/** The target's wall clock: epoch ms there = monotonic ms here + `offsetMs`, give or take. */
export interface WallClock {
  readonly offsetMs: number;
  readonly uncertaintyMs: number;
}

/** The events of one bucket in the order of sending; `wall` where `Date` told the target's clock. */
export interface Transcript {
  readonly events: readonly ProbeEvent[];
  readonly wall?: WallClock;
}

/** The fastest round trip so far, ms; `fallbackMs` before the first answer. */
export function roundTripMs(events: readonly ProbeEvent[], fallbackMs = 50): number {
  if (events.length === 0) return fallbackMs;
  return Math.max(0.5, Math.min(...events.map((event) => event.receivedMs - event.sentMs)));
}

/** A round trip that few exceed, ms: the ninth decile of the answers. */
export function slowRoundTripMs(events: readonly ProbeEvent[], fallbackMs = 50): number {
  const trips = events.map((event) => event.receivedMs - event.sentMs).sort((a, b) => a - b);
  return Math.max(1, trips[Math.floor(trips.length * 0.9)] ?? fallbackMs);
}

/** The most that were admitted within any so long, by when their answers came. */
export function mostAdmittedWithin(
  events: readonly Pick<ProbeEvent, 'outcome' | 'receivedMs'>[],
  withinMs: number,
): number {
  const times = events.flatMap(({ outcome, receivedMs }) =>
    outcome === 'admitted' ? [receivedMs] : [],
  );
  times.sort((a, b) => a - b);
  let [from, most] = [0, 0];
  for (const [at, time] of times.entries()) {
    while (time - (times[from] ?? time) >= withinMs) from += 1;
    most = Math.max(most, at - from + 1);
  }
  return most;
}
