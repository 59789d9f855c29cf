import { describe, expect, test } from 'vitest';
import { hintOf } from './hint.ts';
import { inTrueSeconds, overInMilliseconds } from './wait-unit.ts';
import { fixedWindow } from '../simulated/limiters.testkit.ts';
import { simulate } from '../simulated/simulation.testkit.ts';
import type { ProbeEvent } from '../transcript.ts';

const rejected = (seconds: number, retryAfterSeconds: number): ProbeEvent => ({
  sentMs: 1000 * seconds,
  receivedMs: 1000 * seconds + 10,
  outcome: 'rejected',
  retryAfterSeconds,
});
const admitted: ProbeEvent = { sentMs: 0, receivedMs: 10, outcome: 'admitted' };
const reported = (...events: readonly ProbeEvent[]): (number | undefined)[] =>
  inTrueSeconds([admitted, ...events]).map((event) => event.retryAfterSeconds);

describe('waits', () => {
  test('that fall by a thousand in a second are milliseconds', () => {
    expect(reported(rejected(0.5, 9500), rejected(1, 9010))).toEqual([undefined, 9.5, 9.01]);
  });

  test('that are three times too long fall three times as fast', () => {
    const [, first, second] = reported(rejected(1, 90), rejected(11, 60));
    expect(first).toBeCloseTo(30);
    expect(second).toBeCloseTo(20);
  });

  test.each([
    ['are seconds, rounded up', [rejected(0.5, 60), rejected(2.1, 58), rejected(30.2, 30)]],
    ['are the same each time', [rejected(0.5, 60), rejected(40, 60)]],
    ['were put off meanwhile', [rejected(0.5, 60), rejected(40, 45)]],
    ['fell by no more than rounding', [rejected(0.5, 9), rejected(1.5, 1)]],
  ])('that %s stay what they are', (_, events) => {
    expect(inTrueSeconds(events)).toEqual(events);
  });

  test('are not compared over an admission', () => {
    const events = [rejected(1, 9000), { ...admitted, sentMs: 2000 }, rejected(3, 10)];
    expect(inTrueSeconds(events)).toEqual(events);
  });

  test('in milliseconds are followed as such', () => {
    const events = [admitted, rejected(0.5, 9500), rejected(1, 9010)];
    const { fromMs, toMs } = hintOf(events, 10) ?? { fromMs: 0, toMs: 0 };
    expect(fromMs).toBeGreaterThan(9900);
    expect(toMs).toBeLessThan(10_100);
  });
});

describe('a wait that never fell', () => {
  const over = (...events: readonly ProbeEvent[]): number | null =>
    overInMilliseconds([admitted, ...events], 10);

  test('is over soon if it is told in milliseconds', () => {
    expect(over(rejected(0.5, 5000))).toBe(5520);
    expect(over(rejected(0.5, 5000), rejected(1, 5000))).toBe(6020);
  });

  test.each<[string, ...ProbeEvent[]]>([
    ['it was asked when that would be', rejected(0.5, 5000), rejected(5.6, 5000)],
    ['it fell', rejected(0.5, 5000), rejected(2.5, 4998)],
    ['no window is as short', rejected(0.5, 199)],
    ['it is broken', rejected(0.5, 500.5)],
    ['none is told', { ...rejected(0.5, 0), outcome: 'rejected' }],
    ['the last one was admitted', rejected(0.5, 5000), { ...admitted, sentMs: 2000 }],
  ])('is not asked about where %s', (_, ...events) => {
    expect(over(...events)).toBeNull();
  });

  test('and is told in milliseconds is not waited for in seconds', async () => {
    const ms = 5000;
    const result = await simulate({
      ...{ limiter: fixedWindow(4, ms), seed: 3, roundTripMs: 4, jitterMs: 1 },
      ...{ retryAfter: 'constant', windowSeconds: ms, budget: { maxSeconds: 300 } },
    });
    expect(result.estimate).toMatchObject({ kind: 'identified' });
    expect(result.estimate.classes[0]?.windowSeconds?.value).toBeCloseTo(ms / 1000, 0);
    expect(result.seconds).toBeLessThan((12 * ms) / 1000);
  });
});
