import { expect, test } from 'vitest';
import { wholeTokens as limiterOf } from '../../simulated/library-limiters.testkit.ts';
import { tokenBucket as evenLimiter, type TestLimiter } from '../../simulated/limiters.testkit.ts';
import { chance } from '../../simulated/simulation.testkit.ts';
import type { Tracker } from '../model.ts';
import { tokenBucket } from './token-bucket.ts';
import { track } from '../track.ts';
import { wholeTokens, wholeTokensAhead } from './whole-tokens.ts';

/** One request at each of the times, ms. */
function after(first: Tracker, limiter: TestLimiter, times: readonly number[]): Tracker {
  return times.reduce((tracker, atMs) => {
    const outcome = limiter.decide(atMs, atMs).admitted ? 'admitted' : 'rejected';
    return tracker.observe({ sentMs: atMs - 1, receivedMs: atMs + 1, outcome });
  }, first);
}

/** A burst of six, then each request comes a good part of a token after the one that it waits for. */
const LATE = [0, 10, 20, 30, 40, 50, 930, 1420, 1450, 1890, 2330, 2420, 2860, 3330, 3430];

test('the part of a token that is lost makes the bucket slower than it is', () => {
  const late = after(track(wholeTokens), limiterOf(5, 500), LATE);
  expect(late.candidates().map(({ limit }) => limit.lo)).toContain(5);
  const held = late.candidates().filter(({ limit }) => limit.lo === 5);
  expect(held.some(({ timeMs }) => timeMs.lo <= 500 && timeMs.hi >= 500)).toBe(true);
  expect(held.every(({ timeMs }) => timeMs.hi / timeMs.lo < 1.15)).toBe(true);
  // Of an even bucket the same answers leave no such time.
  const even = after(tokenBucket(), limiterOf(5, 500), LATE);
  const isHeld = even
    .candidates()
    .some(({ limit, timeMs }) => limit.lo === 5 && timeMs.lo <= 500 && timeMs.hi >= 500);
  expect(isHeld).toBe(false);
});

test('where nothing is lost it is ruled out', () => {
  const even = (): TestLimiter => evenLimiter(5, 2);
  expect(after(track(wholeTokens), even(), LATE).isLeft).toBe(false);
});

test('it is looked ahead of as the limiter goes on', () => {
  const random = chance(9);
  const limiter = limiterOf(7, 400);
  const ahead = wholeTokensAhead(7, 400, 7, 0);
  let atMs = 0;
  for (let i = 0; i < 300; i += 1) {
    atMs += 1 + Math.floor(random() ** 3 * 3000);
    const count = 1 + Math.floor(random() * 10);
    let admitted = 0;
    while (admitted < count && limiter.decide(atMs, atMs).admitted) admitted += 1;
    expect(ahead.copy().take(atMs, count)).toBe(admitted);
    expect(ahead.take(atMs, count)).toBe(admitted);
  }
});
