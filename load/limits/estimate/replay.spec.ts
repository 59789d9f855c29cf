import { describe, expect, test } from 'vitest';
import { conclude, type ClassEstimate, type Parameter } from './estimate.ts';
import { prior, weighed, type Posterior } from './posterior.ts';
import { requestRate, wholeSeconds, wholeTokens } from '../simulated/library-limiters.testkit.ts';
import * as limiters from '../simulated/limiters.testkit.ts';
import { aloneAhead } from '../models/ahead.ts';
import type { Candidate, LimiterClass, Tracker } from '../models/index.ts';
import { beginProbe, decide, DEFAULT_BUDGET } from '../planner/plan.ts';
import { isProven } from './proof.ts';
import { unexplainedBy } from './replay.ts';
import type { ProbeEvent } from '../transcript.ts';

const exact = (value: number): Parameter => ({ value, lo: value, hi: value });

/** What would be reported: times in seconds, that of a bucket for one token, of a penalty the block. */
function reported(
  name: LimiterClass,
  limit: number,
  seconds: number,
  refill?: number,
): ClassEstimate {
  const isBucket = name === 'token-bucket';
  const filling = isBucket ? seconds * limit : (seconds * limit) / (refill ?? limit);
  return {
    class: name,
    probability: 1,
    limit: exact(limit),
    windowSeconds: exact(name === 'penalty' ? seconds / 2 : filling),
    ...(name === 'penalty' ? { penaltySeconds: exact(seconds) } : {}),
    ...(refill === undefined ? {} : { refill: exact(refill), intervalSeconds: exact(seconds) }),
  };
}

/** Used up at several paces, asked while rejected, and after pauses. Times in ms. */
function asked(limiter: limiters.TestLimiter, count = 260): ProbeEvent[] {
  const gaps = [
    20, 25, 30, 20, 35, 20, 25, 700, 20, 1100, 20, 20, 20, 450, 25, 2600, 20, 20, 20, 20,
  ];
  let atMs = 1000;
  return Array.from({ length: count }, (_, index) => {
    atMs += (gaps[index % gaps.length] ?? 0) + (index % 50 === 49 ? 9000 : 0);
    const { admitted } = limiter.decide(atMs, atMs);
    const [sentMs, receivedMs] = [atMs - 3 - (index % 4), atMs + 4 + (index % 3)];
    return { sentMs, receivedMs, burst: index, outcome: admitted ? 'admitted' : 'rejected' };
  });
}

const CASES: readonly (readonly [ClassEstimate, limiters.TestLimiter])[] = [
  [reported('fixed-window', 6, 4), limiters.fixedWindow(6, 4000)],
  [reported('fixed-window', 6, 4), wholeSeconds(6, 4, 1_767_225_600_350)],
  [reported('clock-window', 6, 4), limiters.clockWindow(6, 4000, 1_767_225_601_234)],
  [reported('sliding-log', 6, 4), limiters.slidingLog(6, 4000)],
  [reported('sliding-log-counting-rejects', 4, 2), limiters.slidingLog(4, 2000, true)],
  [reported('sliding-counter', 6, 4), limiters.slidingCounter(6, 4000, 1_767_225_601_234)],
  [reported('sliding-counter-counting-rejects', 6, 2), requestRate(6, 2000)],
  [reported('token-bucket', 6, 0.7), limiters.tokenBucket(6, 1 / 0.7)],
  [reported('token-bucket', 6, 0.7), wholeTokens(6, 700)],
  [reported('token-bucket', 6, 0.7), limiters.intervalRefill(6, 1, 700)],
  [reported('interval-refill', 6, 1.5, 2), limiters.intervalRefill(6, 2, 1500)],
  [reported('penalty', 6, 3), limiters.penalty(6, 1500, 3000)],
  [reported('restart-on-reject', 4, 2), limiters.restartOnReject(4, 2000)],
];

describe('the values that are reported, run over the transcript', () => {
  test.each(CASES)('explain all of it where they are true: $class', (found, limiter) => {
    const events = asked(limiter);
    // Else the transcript could not contradict anything either.
    expect(new Set(events.map(({ outcome }) => outcome)).size).toBe(2);
    expect(unexplainedBy(found, events)).toBe(null);
  });

  test.each(CASES)('explain less of it with one request fewer: $class', (found, limiter) => {
    const limit = exact(found.limit.value - 1);
    // How many a block lets through before is seen only where it rejects.
    const events = asked(limiter);
    const isSeen = found.class !== 'penalty';
    if (isSeen) expect(unexplainedBy({ ...found, limit }, events)).not.toBe(null);
    expect(unexplainedBy({ ...found, limit: exact(found.limit.value + 2) }, events)).not.toBe(null);
  });

  test.each(CASES)('nor with a time that is half, or twice, as long: $class', (found, limiter) => {
    const events = asked(limiter);
    const scaled = (factor: number): ClassEstimate => ({
      ...found,
      windowSeconds: exact((found.windowSeconds?.value ?? 0) * factor),
      ...(found.intervalSeconds && {
        intervalSeconds: exact(found.intervalSeconds.value * factor),
      }),
      ...(found.penaltySeconds && { penaltySeconds: exact(found.penaltySeconds.value * factor) }),
    });
    const misfits = [scaled(0.5), scaled(2.1)].map((one) => unexplainedBy(one, events));
    expect(misfits).not.toContain(null);
  });
});

/** So much likelier than by habit that nothing is left to chance. */
const MUCH_TOLD = 1e9;

describe('a bucket of 2 at 0.4 a second under one of 3 that gets one each minute', () => {
  const inner = limiters.tokenBucket(2, 0.4);
  const both = limiters.stacked(inner, limiters.tokenBucket(3, 1 / 60));
  const times = [
    1, 1.3, 1.4, 1.7, 121.7, 121.8, 122.8, 124.9, 125.1, 182.5, 182.6, 521, 521.3, 524.5, 524.7,
    900, 900.3, 900.5, 1200,
  ];
  const events = times.map((seconds): ProbeEvent => {
    const { admitted } = both.decide(seconds * 1000, seconds * 1000);
    const outcome = admitted ? 'admitted' : 'rejected';
    return { sentMs: seconds * 1000 - 30, receivedMs: seconds * 1000 + 30, outcome };
  });

  const candidate: Candidate = {
    ...{ class: 'token-bucket', limit: { lo: 2, hi: 2 }, timeMs: { lo: 59_200, hi: 59_800 } },
    ...{ open: 'no', base: { lo: 0, hi: 0 }, factor: 1, ahead: aloneAhead },
    // As if it had been told by much more than these few.
    likelihood: MUCH_TOLD,
  };

  test('is not one bucket of 2 at one in 59.5 seconds: three passed within four, twice', () => {
    expect(unexplainedBy(reported('token-bucket', 2, 59.5), events)).toBe(times.indexOf(524.5));
  });

  test('nor is it named one, however sure the posterior is', () => {
    const alternatives = [
      { candidate, probability: 1, pointMasses: [{ ms: 59_500, probability: 1 }] },
    ];
    const posterior = { ...prior(), transcript: { events }, alternatives, weight: MUCH_TOLD };
    expect(isProven(posterior, 'token-bucket')).toBe(true);
    const { kind, mismatches } = conclude(posterior);
    expect(kind).toBe('composite');
    const afterEvents = times.indexOf(524.5) + 1;
    expect(mismatches).toContainEqual({ class: 'token-bucket', afterEvents });
  });

  test('and no paced client is sent for it: the search for two limits begins', () => {
    const wrong: Tracker = {
      ...{ class: 'token-bucket', isLeft: true, cut: false },
      observe: () => wrong,
      candidates: () => [candidate],
    };
    const begun = beginProbe({ ...DEFAULT_BUDGET, maxSeconds: 10_000 });
    const posterior: Posterior = { ...begun.posterior, transcript: { events }, trackers: [wrong] };
    expect(conclude(weighed(posterior)).mismatches).toHaveLength(1);
    const [plan, action] = decide({ ...begun, posterior, phase: 'watch' }, 1_200_100);
    expect(plan.wasStack || (action.kind === 'stop' && action.reason === 'composite')).toBe(true);
    expect(plan.checks.isOn).toBe(false);
  });
});

describe('a block that is shorter than the window in which is counted', () => {
  const found: ClassEstimate = { ...reported('penalty', 3, 1), windowSeconds: exact(30) };

  test('forgets it: more than two windows of requests may pass meanwhile', () => {
    expect(unexplainedBy(found, asked(limiters.penalty(3, 30_000, 1000)))).toBe(null);
  });

  test('but not without a block', () => {
    expect(unexplainedBy(found, asked(limiters.unlimited()))).toBe(6);
  });
});

describe('requests at once', () => {
  const event = (sentMs: number, outcome: ProbeEvent['outcome']): ProbeEvent => ({
    ...{ sentMs, receivedMs: sentMs + 10, outcome },
  });
  const found: ClassEstimate = { class: 'concurrency', probability: 1, limit: exact(2) };

  test('are limited only where others were under way', () => {
    const beside = [event(0, 'admitted'), event(1, 'admitted'), event(2, 'rejected')];
    expect(unexplainedBy(found, beside)).toBe(null);
    expect(unexplainedBy(found, [...beside, event(50, 'rejected')])).toBe(3);
    const one = [event(50, 'admitted'), event(51, 'rejected')];
    expect(unexplainedBy(found, [...beside, ...one])).toBe(4);
  });
});

describe('what nobody knows', () => {
  const event = (
    sentMs: number,
    outcome: ProbeEvent['outcome'],
    burst = sentMs,
    tookMs = 10,
  ): ProbeEvent => ({ sentMs, receivedMs: sentMs + tookMs, outcome, burst });

  test('contradicts nothing: whether a failed request was counted', () => {
    const passed = [event(0, 'admitted'), event(20, 'failed')];
    for (const name of ['fixed-window', 'sliding-log', 'token-bucket'] as const) {
      const found = reported(name, 2, 5);
      expect(unexplainedBy(found, [...passed, event(40, 'rejected')])).toBe(null);
      expect(unexplainedBy(found, [...passed, event(40, 'admitted')])).toBe(null);
    }
  });

  test('contradicts nothing: the order within a burst at the end of a window', () => {
    const filled = [event(0, 'admitted'), event(20, 'admitted')];
    const atEnd = [event(4990, 'admitted', 3, 20), event(4990, 'rejected', 3, 20)];
    expect(unexplainedBy(reported('fixed-window', 2, 5), [...filled, ...atEnd])).toBe(null);
    const within = [event(3000, 'admitted', 3, 20), event(3000, 'rejected', 3, 20)];
    expect(unexplainedBy(reported('fixed-window', 2, 5), [...filled, ...within])).toBe(2);
  });
});
