import { expect, test } from 'vitest';
import { tokenBucket as limiterOf } from '../../simulated/limiters.testkit.ts';
import { chance } from '../../simulated/simulation.testkit.ts';
import type { ProbeEvent } from '../../transcript.ts';
import { MAX_WINDOW_MS, type Candidate, type Tracker } from '../model.ts';
import { tokenBucket } from './token-bucket.ts';

const CAPACITY = 5;
const TOKEN_MS = 500;

/** What is left of the true capacity after each of the requests, one at each of the times, ms. */
function followed(times: readonly number[]): Candidate[] {
  const limiter = limiterOf(CAPACITY, 1000 / TOKEN_MS);
  let tracker: Tracker = tokenBucket();
  return times.flatMap((atMs) => {
    const outcome = limiter.decide(atMs, atMs).admitted ? 'admitted' : 'rejected';
    tracker = tracker.observe({ sentMs: atMs - 1, receivedMs: atMs + 1, outcome });
    return tracker.candidates().filter(({ limit }) => limit.lo <= CAPACITY && limit.hi >= CAPACITY);
  });
}

/** A burst of six, then requests right before and after each token, some after a pause. */
const CLOSE = [
  ...[0, 5, 10, 15, 20, 25, 495, 505, 995, 1005, 1495, 1505, 1600, 1995, 2005],
  ...[9_000, 9_005, 9_010, 9_015, 9_020, 9_025, 9_495, 9_505, 9_995, 10_005],
];

test('the true time of a token is never ruled out, however requests come', () => {
  const random = chance(4);
  for (let run = 0; run < 20; run += 1) {
    let atMs = 0;
    const times = Array.from({ length: 60 }, () => (atMs += Math.ceil(random() ** 3 * 2_000)));
    for (const { timeMs } of followed(times)) {
      expect([timeMs.lo <= TOKEN_MS, timeMs.hi >= TOKEN_MS]).toEqual([true, true]);
    }
  }
});

test('it is known to some hundredths where requests come right before and after tokens', () => {
  const candidates = followed(CLOSE);
  expect(candidates).toHaveLength(CLOSE.length);
  const { lo = 0, hi = Infinity } = candidates.at(-1)?.timeMs ?? {};
  expect([lo > 480, lo <= TOKEN_MS, hi >= TOKEN_MS, hi < 520]).toEqual([true, true, true, true]);
});

test('after a pause the bucket is as full as it ever is, and no fuller', () => {
  const left = followed([...CLOSE, 60_000, 60_010]).map((one) => one.left);
  expect(left.slice(-2)).toEqual([
    { lo: 4, hi: 4 },
    { lo: 3, hi: 3 },
  ]);
});

/** What a capacity allows, by the formula of the class alone: each pair of requests on its own. */
interface Allowed {
  readonly lo: number;
  readonly hi: number;
  /** When the next one is due, at the middle of the token times. */
  readonly dueMs: number;
}

function allowedBy(capacity: number, events: readonly ProbeEvent[]): Allowed | null {
  let [lo, hi] = [1, MAX_WINDOW_MS];
  const admitted: ProbeEvent[] = [];
  for (const event of events) {
    const isAdmitted = event.outcome === 'admitted';
    let least = Infinity;
    for (const [at, before] of admitted.entries()) {
      const tokens = admitted.length - at - capacity + 1;
      if (tokens <= 0) continue;
      const elapsedMs = isAdmitted
        ? event.receivedMs - before.sentMs
        : event.sentMs - before.receivedMs;
      least = Math.min(least, elapsedMs / tokens);
    }
    if (isAdmitted) hi = Math.min(hi, least);
    else if (least === Infinity) return null;
    else lo = Math.max(lo, least);
    if (isAdmitted) admitted.push(event);
  }
  const middle = Math.sqrt(lo * hi);
  const dues = admitted.map(({ receivedMs }, at) => {
    const tokens = admitted.length - at - capacity + 1;
    return tokens > 0 ? receivedMs + tokens * middle : -Infinity;
  });
  return lo > hi ? null : { lo, hi, dueMs: Math.max(...dues) };
}

test('of each capacity the times are left that each pair of requests allows, also of long bursts', () => {
  const random = chance(9);
  for (const [capacity, perSecond] of [
    [3, 2],
    [70, 5],
    [130, 40],
  ] as const) {
    const limiter = limiterOf(capacity, perSecond);
    let [tracker, atMs]: [Tracker, number] = [tokenBucket(), 0];
    const events: ProbeEvent[] = [];
    for (let sent = 0; sent < capacity + 60; sent += 1) {
      atMs += random() * (sent <= capacity ? 3 : 700);
      const [sentMs, receivedMs] = [atMs - random() * 5, atMs + random() * 5];
      const outcome = limiter.decide(atMs, atMs).admitted ? 'admitted' : 'rejected';
      events.push({ sentMs, receivedMs, outcome });
      tracker = tracker.observe({ sentMs, receivedMs, outcome });
      if (sent % 7 > 0 || !events.some((one) => one.outcome === 'rejected')) continue;
      const left = new Map(tracker.candidates().map((one) => [one.limit.lo, one]));
      for (let one = 1; one <= events.length; one += 1) {
        const allowed = allowedBy(one, events);
        const { timeMs, base, factor } = left.get(one) ?? {};
        if (allowed === null) expect(timeMs, `capacity ${one}`).toBeUndefined();
        else {
          expect(timeMs?.lo).toBeCloseTo(allowed.lo, 6);
          expect(timeMs?.hi).toBeCloseTo(allowed.hi, 6);
          const dueMs = (base?.hi ?? 0) + (factor ?? 0) * Math.sqrt(allowed.lo * allowed.hi);
          if (Number.isFinite(allowed.dueMs)) expect(dueMs).toBeCloseTo(allowed.dueMs, 3);
        }
      }
    }
  }
});
