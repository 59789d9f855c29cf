import { describe, expect, test } from 'vitest';
import { aloneAhead } from '../models/ahead.ts';
import { ANYTHING } from '../models/interval.ts';
import type { Candidate, LimiterClass } from '../models/index.ts';
import { standingOut, weigh, type ReportedLimit, type WeighingContext } from './weight.ts';

function candidate(name: LimiterClass, values: Partial<Candidate>): Candidate {
  return {
    class: name,
    limit: { lo: 30, hi: 30 },
    timeMs: { lo: 5000, hi: 20_000 },
    open: 'no',
    base: ANYTHING,
    factor: 1,
    ahead: aloneAhead,
    ...values,
  };
}

function probability(one: Candidate, context: Partial<WeighingContext>): number {
  const { pointMasses, rest } = weigh(one, {
    reportedMs: [],
    first: { lo: 0, hi: 5 },
    startsAnew: false,
    ...context,
  });
  return pointMasses.reduce((sum, pointMass) => sum + pointMass.probability, rest);
}

const reported: ReportedLimit = { limit: 30, windowMs: 10_000 };

describe('a window that the service tells', () => {
  /** How many times likelier a candidate is when its window is told than one with others. */
  const gain = (name: LimiterClass, right: Partial<Candidate>, other: Partial<Candidate>): number =>
    probability(candidate(name, right), { reported }) /
    probability(candidate(name, other), { reported });

  test.each<[string, LimiterClass, Partial<Candidate>, Partial<Candidate>]>([
    [
      'of the window',
      'sliding-log',
      { timeMs: { lo: 9000, hi: 11_000 } },
      { timeMs: { lo: 19_000, hi: 23_000 } },
    ],
    [
      'of the time in which a bucket fills',
      'token-bucket',
      { timeMs: { lo: 320, hi: 340 } },
      { timeMs: { lo: 640, hi: 680 } },
    ],
    [
      'of the interval of a refill',
      'interval-refill',
      { timeMs: { lo: 9000, hi: 11_000 }, refill: { lo: 7, hi: 7 } },
      { timeMs: { lo: 19_000, hi: 21_000 }, refill: { lo: 7, hi: 7 } },
    ],
    [
      'of the time in which all refills come',
      'interval-refill',
      { timeMs: { lo: 1900, hi: 2100 }, refill: { lo: 6, hi: 6 } },
      { timeMs: { lo: 3800, hi: 4200 }, refill: { lo: 6, hi: 6 } },
    ],
    [
      'in which a penalty counts, however long it blocks',
      'penalty',
      { windowMs: { lo: 5000, hi: 20_000 } },
      { windowMs: { lo: 11_000, hi: 44_000 } },
    ],
  ])('is evidence %s', (_, name, right, other) => {
    expect(gain(name, right, other)).toBeGreaterThan(8);
  });

  test('makes its value stand out', () => {
    const one = candidate('fixed-window', { timeMs: { lo: 6000, hi: 14_000 } });
    const { pointMasses } = weigh(one, {
      reportedMs: [],
      first: { lo: 0, hi: 5 },
      startsAnew: false,
      reported: { limit: 30, windowMs: 7321 },
    });
    const [best] = [...pointMasses].sort((a, b) => b.probability - a.probability);
    expect(best?.ms).toBe(7321);
    expect(new Set(pointMasses.map(({ ms }) => ms)).size).toBe(pointMasses.length);
  });

  test('rules nothing out', () => {
    const other = candidate('fixed-window', { timeMs: { lo: 19_000, hi: 21_000 } });
    expect(probability(other, { reported })).toBeGreaterThan(0);
  });
});

test('waits that start anew speak for limiters that put off who asks', () => {
  const ratio = (name: LimiterClass): number =>
    probability(candidate(name, {}), { startsAnew: true }) / probability(candidate(name, {}), {});
  expect(ratio('restart-on-reject')).toBeCloseTo(1);
  expect(ratio('sliding-log-counting-rejects')).toBeCloseTo(1);
  expect(ratio('fixed-window')).toBeLessThan(0.2);
  expect(ratio('penalty')).toBeLessThan(0.2);
});

describe('a limit of one request', () => {
  const of = (name: LimiterClass, lo: number, hi: number, most = 1): Candidate =>
    candidate(name, { limit: { lo: most, hi: most }, timeMs: { lo, hi } });

  test('is a window, and a bucket only where that is over sooner than any window', () => {
    expect(probability(of('token-bucket', 190, 210), {})).toBe(0);
    expect(probability(of('fixed-window', 201, 210), {})).toBeGreaterThan(0);
    expect(probability(of('token-bucket', 95, 105), {})).toBeGreaterThan(0);
    expect(probability(of('sliding-log', 95, 105), {})).toBe(0);
  });

  test('stands out where so many windows fit into a second', () => {
    const rates = (one: Candidate): number[] => standingOut(one, []).map(({ ms }) => ms);
    expect(rates(of('fixed-window', 240, 340))).toEqual([1000 / 3, 250]);
    expect(rates(of('fixed-window', 240, 340, 2))).toEqual([]);
    expect(rates(of('clock-window', 240, 340))).toEqual([]);
  });
});
