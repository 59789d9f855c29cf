import { describe, expect, test } from 'vitest';
import type { ProbeEvent } from '../transcript.ts';
import { prior } from './posterior.ts';
import { isTelling, log10ByHabit } from './telling.ts';

const SIGNS = { '+': 'admitted', '-': 'rejected', x: 'failed' } as const;
const eventsOf = (signs: string): ProbeEvent[] =>
  Array.from(signs, (sign, at) => ({
    ...{ sentMs: 1000 * at, receivedMs: 1000 * at + 4 },
    outcome: SIGNS[sign as keyof typeof SIGNS],
  }));
const byHabit = (signs: string): number => 10 ** log10ByHabit(eventsOf(signs));

describe('by habit', () => {
  test('what comes again becomes likelier, after each kind by itself', () => {
    expect(byHabit('')).toBe(1);
    expect(byHabit('+')).toBeCloseTo(1 / 2, 9);
    expect(byHabit('++')).toBeCloseTo((1 / 2) * (3 / 4), 9);
    expect(byHabit('++-')).toBeCloseTo((1 / 2) * (3 / 4) * (1 / 6), 9);
    expect(byHabit('++--')).toBeCloseTo((1 / 2) * (3 / 4) * (1 / 6) * (1 / 2), 9);
    expect(byHabit('++--+')).toBeCloseTo((1 / 2) * (3 / 4) * (1 / 6) * (1 / 2) * (1 / 4), 9);
  });

  test('changes that come each time are foretold as well', () => {
    expect(log10ByHabit(eventsOf('+-'.repeat(50)))).toBeGreaterThan(-5);
    expect(log10ByHabit(eventsOf('++++-----'.repeat(10)))).toBeLessThan(-12);
  });

  test('a request that failed tells nothing', () => {
    expect(byHabit('+x+xx-')).toBe(byHabit('++-'));
  });
});

describe('what is left', () => {
  const transcript = { events: eventsOf('++++-----'.repeat(6)) };
  const least = 10 ** (7 + log10ByHabit(transcript.events));

  test('tells something where the outcomes are ten million times as likely as by habit', () => {
    expect(isTelling({ ...prior(), transcript, weight: 1.01 * least })).toBe(true);
    expect(isTelling({ ...prior(), transcript, weight: 0.99 * least })).toBe(false);
    expect(isTelling({ ...prior(), transcript, weight: 0 })).toBe(false);
  });

  test('and where the service tells it, whose word came true', () => {
    expect(isTelling({ ...prior(), transcript, weight: 0, reportsHold: true })).toBe(true);
  });
});
