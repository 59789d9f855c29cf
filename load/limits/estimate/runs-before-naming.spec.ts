import { describe, expect, test } from 'vitest';
import { aloneAhead } from '../models/ahead.ts';
import type { Candidate, LimiterClass } from '../models/index.ts';
import type { ProbeEvent } from '../transcript.ts';
import { prior, type Posterior } from './posterior.ts';
import { didItsOwn, isProven } from './proof.ts';
import { log10ByHabit } from './telling.ts';

/** A class whose limit was used up so often, in windows of a time that stands out. */
function usedUp(
  name: LimiterClass,
  [lo, hi]: readonly [number, number],
  ms: number,
  runs: number,
  more: Partial<Candidate> = {},
): Posterior {
  const candidate: Candidate = {
    ...{ class: name, limit: { lo: 10, hi: 10 }, timeMs: { lo, hi } },
    ...{ open: 'yes', base: { lo: 0, hi: 0 }, factor: 1, ahead: aloneAhead, ...more },
  };
  const at = (sentMs: number): Pick<ProbeEvent, 'sentMs' | 'receivedMs'> => ({
    ...{ sentMs, receivedMs: sentMs + 1 },
  });
  const used = Array.from({ length: runs }, (_, run) => run).flatMap((run): ProbeEvent[] => {
    const begun = Array.from({ length: 10 }, (_, index): ProbeEvent => {
      return { ...at(200_000 * run + 5 * index), outcome: 'admitted' };
    });
    return [...begun, { ...at(200_000 * run + 0.5 * lo), outcome: 'rejected' }];
  });
  const events: ProbeEvent[] = [...used, { ...at(200_000 * runs), outcome: 'admitted' }];
  const alternatives = [{ candidate, probability: 1, pointMasses: [{ ms, probability: 0.9 }] }];
  return { ...prior(), transcript: { events }, alternatives };
}

describe('how often a limit is used up before it is named', () => {
  const proven = (...of: Parameters<typeof usedUp>): boolean => didItsOwn(usedUp(...of), of[0]);
  const least = (...of: [LimiterClass, readonly [number, number], number]): number =>
    [1, 2, 3, 4, 5].find((runs) => proven(of[0], of[1], of[2], runs)) ?? Infinity;

  test('twice with a usual time, and with few whole seconds, one of which is near any time', () => {
    expect(least('sliding-log', [14_900, 15_100], 15_000)).toBe(2);
    expect(least('sliding-log', [6_950, 7_050], 7_000)).toBe(2);
    expect(least('sliding-log', [37_700, 38_300], 38_000)).toBe(3);
  });

  test('once more with a usual time at one end of a good interval', () => {
    expect(least('sliding-log', [14_840, 15_710], 15_000)).toBe(3);
  });

  test('and still once more as a counter, which explains most of what others do', () => {
    expect(least('sliding-counter', [14_900, 15_100], 15_000)).toBe(2);
    expect(least('sliding-counter', [37_700, 38_300], 38_000)).toBe(4);
  });

  test('once more as a small penalty, but not as a great one: it is seen to wait each time', () => {
    const penalty = (limit: number): number => {
      const more = { limit: { lo: limit, hi: limit } };
      const held = [37_700, 38_300] as const;
      return [1, 2, 3, 4].find((runs) => proven('penalty', held, 38_000, runs, more)) ?? Infinity;
    };
    expect([penalty(10), penalty(12)]).toEqual([3, 2]);
  });
});

test('a class must tell more where nobody would choose its time', () => {
  const proven = (held: readonly [number, number], log10Told: number): boolean => {
    const posterior = usedUp('sliding-log', held, 15_000, 4);
    const weight = 10 ** (log10Told + log10ByHabit(posterior.transcript.events));
    return isProven({ ...posterior, weight }, 'sliding-log');
  };
  expect([6.9, 7.1].map((told) => proven([14_900, 15_100], told))).toEqual([false, true]);
  expect([9.9, 10.1].map((told) => proven([14_840, 15_710], told))).toEqual([false, true]);
});
