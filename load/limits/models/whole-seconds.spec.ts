import { describe, expect, test } from 'vitest';
import { wholeSeconds } from '../simulated/library-limiters.testkit.ts';
import { fixedWindow as plainLimiter, type TestLimiter } from '../simulated/limiters.testkit.ts';
import { chance } from '../simulated/simulation.testkit.ts';
import { anyOf } from './any-of.ts';
import { fixedWindow } from './fixed-window.ts';
import type { Tracker } from './model.ts';
import { track } from './track.ts';
import { wholeAhead, wholeSecondsWindow } from './whole-seconds.ts';

/** Bursts of up to eight at the times given, s. */
function after(first: Tracker, limiter: TestLimiter, times: readonly number[]): Tracker {
  let tracker = first;
  for (const seconds of times) {
    for (let at = 0; at < 8; at += 1) {
      const atMs = 1000 * seconds + 5 * at;
      const outcome = limiter.decide(atMs, atMs).admitted ? 'admitted' : 'rejected';
      tracker = tracker.observe({ sentMs: atMs - 1, receivedMs: atMs + 1, outcome });
      if (outcome === 'rejected') break;
    }
  }
  return tracker;
}

/** Windows of three seconds that open at different parts of a second, each watched to its end. */
const TIMES = [0.2, 2.4, 2.55, 2.65, 6.9, 9.5, 9.62, 9.9, 13.1, 15.58, 15.62];

describe('windows in whole seconds', () => {
  test('are all of one length, though they are not to a clock of fractions', () => {
    const limiter = (): TestLimiter => wholeSeconds(5, 3, 400);
    expect(after(track(fixedWindow), limiter(), TIMES).isLeft).toBe(false);
    const left = after(track(wholeSecondsWindow), limiter(), TIMES).candidates();
    expect(left).not.toEqual([]);
    expect(new Set(left.map(({ timeMs }) => `${timeMs.lo} to ${timeMs.hi}`))).toEqual(
      new Set(['3000 to 3000']),
    );
    expect(new Set(left.map(({ limit }) => `${limit.lo} to ${limit.hi}`))).toEqual(
      new Set(['5 to 5']),
    );
    // The clock's seconds begin at 0.6 of those of the probe; the last window opened at 15.6.
    for (const { base } of left) {
      expect(base.lo).toBeLessThanOrEqual(15_600);
      expect(base.hi).toBeGreaterThanOrEqual(15_600);
    }
  });

  test('are not those of a window that takes the same time always', () => {
    const limiter = plainLimiter(5, 2500);
    expect(
      after(track(wholeSecondsWindow), limiter, [0.2, 2.69, 2.71, 5.8, 8.29, 8.31]).isLeft,
    ).toBe(false);
  });

  test('are followed beside the others of their class', () => {
    const kinds = anyOf('fixed-window', [track(fixedWindow), track(wholeSecondsWindow)]);
    const both = after(kinds, wholeSeconds(5, 3, 400), TIMES.slice(0, 2)).candidates();
    const one = after(track(fixedWindow), wholeSeconds(5, 3, 400), TIMES.slice(0, 2)).candidates();
    expect(both.length).toBeGreaterThan(one.length);
    const left = after(kinds, wholeSeconds(5, 3, 400), TIMES);
    expect(left.isLeft).toBe(true);
    expect(left.candidates().every(({ timeMs }) => timeMs.lo === 3000)).toBe(true);
  });

  test('are looked ahead of as the limiter goes on', () => {
    const random = chance(7);
    const limiter = wholeSeconds(7, 3, 0);
    const ahead = wholeAhead(7, 3, -Infinity, 0);
    let atMs = 0;
    for (let i = 0; i < 300; i += 1) {
      atMs += 1 + Math.floor(random() ** 3 * 3500);
      const count = 1 + Math.floor(random() * 10);
      let admitted = 0;
      while (admitted < count && limiter.decide(atMs, atMs).admitted) admitted += 1;
      expect(ahead.copy().take(atMs, count)).toBe(admitted);
      expect(ahead.take(atMs, count)).toBe(admitted);
    }
  });
});
