import { describe, expect, test } from 'vitest';
import { hintOf } from './hint.ts';
import { inTrueSeconds } from './told-unit.ts';
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
