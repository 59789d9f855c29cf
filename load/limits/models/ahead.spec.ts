import { expect, test } from 'vitest';
import * as limiters from '../simulated/limiters.testkit.ts';
import { chance } from '../simulated/simulation.testkit.ts';
import { bucketAhead, gridAhead, logAhead, windowAhead, type Ahead } from './ahead.ts';

const limit = 7;
const windowMs = 1000;
const window = { limit, windowMs, endMs: -Infinity, left: 0 };
const grid = { limit, lengthMs: windowMs, beginMs: 0, current: 0, strict: false };
const bucket = { capacity: limit, tokens: limit, atMs: 0 };

const pairs: readonly [string, Ahead, limiters.TestLimiter][] = [
  [
    'fixed window',
    windowAhead({ ...window, onReject: 'nothing' }),
    limiters.fixedWindow(limit, windowMs),
  ],
  [
    'restart on reject',
    windowAhead({ ...window, onReject: 'restart' }),
    limiters.restartOnReject(limit, windowMs),
  ],
  [
    'penalty',
    windowAhead({ ...window, onReject: { blockMs: 1700 } }),
    limiters.penalty(limit, windowMs, 1700),
  ],
  [
    'clock window',
    gridAhead({ ...grid, previous: null }),
    limiters.clockWindow(limit, windowMs, 0),
  ],
  [
    'sliding counter',
    gridAhead({ ...grid, previous: 0 }),
    limiters.slidingCounter(limit, windowMs, 0),
  ],
  ['sliding log', logAhead(limit, windowMs, [], false), limiters.slidingLog(limit, windowMs)],
  [
    'sliding log counting rejects',
    logAhead(limit, windowMs, [], true),
    limiters.slidingLog(limit, windowMs, true),
  ],
  [
    'token bucket',
    bucketAhead({ ...bucket, refill: 1, everyMs: 150, steps: 'evenly' }),
    limiters.tokenBucket(limit, 1000 / 150),
  ],
  [
    'interval refill',
    bucketAhead({ ...bucket, refill: 3, everyMs: 600, steps: 'clock' }),
    limiters.intervalRefill(limit, 3, 600),
  ],
];

test.each(pairs)('%s looks ahead as the limiter does', (_, ahead, limiter) => {
  const random = chance(5);
  let atMs = 0;
  limiter.decide(0, 0);
  expect(ahead.take(0, 1)).toBe(1);
  for (let i = 0; i < 300; i += 1) {
    atMs += 1 + Math.floor(random() ** 3 * 1500);
    const count = 1 + Math.floor(random() * 10);
    let admitted = 0;
    while (admitted < count && limiter.decide(atMs, atMs).admitted) admitted += 1;
    const tried = ahead.copy();
    expect(tried.take(atMs, count)).toBe(admitted);
    expect(ahead.take(atMs, count)).toBe(admitted);
  }
});

test('a window that counted more than it may admits nothing before its end', () => {
  const counting = { ...grid, strict: true, countsRejects: true };
  const ahead = gridAhead({ ...counting, current: limit + 5, previous: 0 });
  expect(Math.max(...ahead.changes(500))).toBeLessThanOrEqual(2 * windowMs);
});
