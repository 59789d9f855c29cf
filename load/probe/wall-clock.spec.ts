import { describe, expect, test } from 'vitest';
import type { Reported } from './sender.ts';
import { reported } from './reported.testkit.ts';
import { localWallClock, wallClock } from './wall-clock.ts';

describe('the clock of the target', () => {
  const dated = (atMs: number, date: string): Reported =>
    reported(200, atMs, { headers: [['Date', date]] });

  test('is told the better the more dates there are', () => {
    const one = dated(200, 'Thu, 01 Jan 2026 00:00:05 GMT');
    const more = [
      dated(1100, 'Thu, 01 Jan 2026 00:00:06 GMT'),
      one,
      dated(900, 'Thu, 01 Jan 2026 00:00:05 GMT'),
    ];
    expect(wallClock([one])?.uncertaintyMs).toBeGreaterThan(500);
    const wall = wallClock(more);
    expect(Math.abs((wall?.offsetMs ?? 0) - 4950)).toBeLessThan(100);
    expect(wall?.uncertaintyMs).toBeLessThan(200);
  });

  test('is ours on this machine, unless its dates say otherwise', () => {
    expect(localWallClock([dated(200, 'Thu, 01 Jan 2026 00:00:00 GMT')])?.offsetMs).toBe(0);
    expect(localWallClock([dated(200, 'Thu, 01 Jan 2026 00:00:09 GMT')])?.offsetMs).not.toBe(0);
    expect(localWallClock([reported(200)])?.offsetMs).toBe(0);
  });
});
