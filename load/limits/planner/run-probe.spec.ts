import { expect, test } from 'vitest';
import { estimate } from '../estimate/estimate.ts';
import { fixedWindow, unlimited } from '../simulated/limiters.testkit.ts';
import { beginProbe, decide, DEFAULT_BUDGET, observed } from './plan.ts';
import { runProbe } from './run-probe.ts';
import { simulate } from '../simulated/simulation.testkit.ts';
import { asked, INNER, OUTER } from '../estimate/stacked.testkit.ts';
import type { ProbeEvent } from '../transcript.ts';

const service = { seed: 3, roundTripMs: 4, jitterMs: 1, retryAfter: 'none' as const };

test('the estimate follows from the transcript alone', async () => {
  const result = await simulate({ ...service, limiter: fixedWindow(10, 5000) });
  expect(estimate(result.transcript).classes).toEqual(result.estimate.classes);
});

test('a spent budget leaves what is known so far', async () => {
  const budget = { maxRejects: 3 };
  const result = await simulate({ ...service, limiter: fixedWindow(10, 60_000), budget });
  expect(result.stopped).toBe('max-rejects');
  expect(result.rejects).toBe(3);
  expect(result.estimate.kind).toBe('ambiguous');
  expect(result.estimate.classes.every(({ limit }) => limit.lo <= 10 && limit.hi >= 10)).toBe(true);
});

test('time is a budget that is not overrun', async () => {
  const budget = { maxSeconds: 20 };
  const result = await simulate({ ...service, limiter: fixedWindow(10, 60_000), budget });
  expect(result.stopped).toBe('max-seconds');
  expect(result.seconds).toBeLessThanOrEqual(20);
});

test('a search for two limits is given up when the time is over, and nothing follows it', () => {
  const events = asked([...INNER, ...OUTER]);
  const plan = events.reduce((now, event) => observed(now, [event]), beginProbe(DEFAULT_BUDGET));
  const nowMs = events.at(-1)?.receivedMs ?? 0;
  const [, inTime] = decide(plan, nowMs);
  expect(inTime).not.toMatchObject({ reason: 'max-seconds' });
  let looks = 0;
  const [, late] = decide(plan, nowMs, () => (looks += 1) > 5);
  expect(late).toEqual({ kind: 'stop', reason: 'max-seconds' });
  expect(looks).toBeLessThan(15);
});

test('the rate is kept', async () => {
  const budget = { maxRatePerSecond: 10, maxRequests: 30 };
  const result = await simulate({ ...service, limiter: unlimited(), budget });
  expect(result.requests).toBe(30);
  expect(result.seconds).toBeGreaterThan(2.6);
});

test('what tells nothing of requests at once is not sent again and again', () => {
  let plan = beginProbe({ ...DEFAULT_BUDGET, maxConcurrent: 20 });
  let nowMs = 0;
  const answer = (count: number, rejected = 0): void => {
    const burst = Array.from({ length: count }, (_, at) => ({
      ...{ sentMs: nowMs, receivedMs: nowMs + 5 },
      outcome: at < count - rejected ? ('admitted' as const) : ('rejected' as const),
    }));
    plan = observed(plan, burst);
    nowMs += 6;
  };
  for (const count of [1, 1, 1, 2, 1, 12]) answer(count);
  answer(20, 2);
  const sizes: number[] = [];
  while (sizes.length < 12) {
    const [next, action] = decide(plan, nowMs);
    if (action.kind === 'stop') break;
    plan = next;
    nowMs = Math.max(nowMs, action.waitUntilMs);
    answer(action.concurrent);
    sizes.push(action.concurrent);
  }
  expect(sizes.slice(0, 3)).toEqual([18, 19, 20]);
  expect(sizes.filter((size) => size >= 18).length).toBeLessThanOrEqual(6);
});

test('an interruption leaves what is known so far', async () => {
  const abort = new AbortController();
  const events: ProbeEvent[] = [];
  let nowMs = 0;
  const result = await runProbe(
    {
      nowMs: () => nowMs,
      sleepMs: (durationMs) => {
        nowMs += durationMs;
        return Promise.resolve();
      },
      send: () => {
        const event: ProbeEvent = { sentMs: nowMs, receivedMs: nowMs + 2, outcome: 'admitted' };
        nowMs += 2;
        events.push(event);
        if (events.length === 5) abort.abort();
        return Promise.resolve(event);
      },
    },
    { budget: DEFAULT_BUDGET, signal: abort.signal },
  );
  expect(result.stopped).toBe('interrupted');
  expect(result.estimate).toMatchObject({ kind: 'unlimited-within-budget', admittedInARow: 5 });
});

test('a service that does not answer is left alone', async () => {
  let nowMs = 0;
  const result = await runProbe(
    {
      nowMs: () => nowMs,
      sleepMs: (durationMs) => {
        nowMs += durationMs;
        return Promise.resolve();
      },
      send: () => Promise.resolve({ sentMs: nowMs, receivedMs: (nowMs += 2), outcome: 'failed' }),
    },
    { budget: DEFAULT_BUDGET },
  );
  expect([result.stopped, result.requests]).toEqual(['failing', 3]);
});
