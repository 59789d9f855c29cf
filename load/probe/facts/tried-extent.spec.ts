import { describe, expect, test } from 'vitest';
import type { ProbeEvent } from '../../limits/index.ts';
import { triedExtent } from './tried-extent.ts';

const TRIP_MS = 20;
const at = (sentMs: number, outcome: ProbeEvent['outcome'] = 'admitted'): ProbeEvent => ({
  sentMs,
  receivedMs: sentMs + TRIP_MS,
  outcome,
});
/** This many from a moment on, each so long after the one before. */
const row = (count: number, fromMs: number, everyMs: number): ProbeEvent[] =>
  Array.from({ length: count }, (_, index) => at(fromMs + index * everyMs));

describe('as far as a limit was tried', () => {
  test('are the most that any longer time let in, and all', () => {
    const events = [...row(20, 0, 50), at(1000, 'rejected'), ...row(20, 2000, 50), at(6345)];
    expect(triedExtent(events, 2)).toEqual([
      { seconds: 2, requests: 20 },
      { seconds: 5, requests: 40 },
      { seconds: 6.37, requests: 41 },
    ]);
  });

  test('is no time below the window, nor one in which no more passed', () => {
    const events = [...row(30, 0, 10), at(9_000), at(70_000)];
    expect(triedExtent(events, 4)).toEqual([
      { seconds: 5, requests: 30 },
      { seconds: 10, requests: 31 },
      { seconds: 70.1, requests: 32 },
    ]);
  });

  test('counts what was sent and answered within the time', () => {
    const [second] = triedExtent([at(0), at(500), at(990), at(3000)], 0);
    expect(second).toEqual({ seconds: 1, requests: 2 });
  });

  test('leaves out those that took longer than the time', () => {
    const slow: ProbeEvent = { sentMs: 0, receivedMs: 5000, outcome: 'admitted' };
    expect(triedExtent([slow, ...row(4, 100, 100)], 0)[0]).toEqual({ seconds: 1, requests: 4 });
  });

  test('of nothing is nothing', () => {
    expect(triedExtent([], 1)).toEqual([]);
    expect(triedExtent([at(0, 'rejected')], 1)).toEqual([]);
    expect(triedExtent([at(0)], 1)).toEqual([{ seconds: 0.02, requests: 1 }]);
  });
});
