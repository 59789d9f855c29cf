import { describe, expect, test } from 'vitest';
import type { ProbeEvent } from '../transcript.ts';
import { allTrackers } from './index.ts';
import type { LimiterClass } from './model.ts';

/** `+` admitted, `-` rejected, `x` failed, one each 10 ms. */
function limitsAfter(name: LimiterClass, text: string): readonly number[] {
  const outcomes = { '+': 'admitted', '-': 'rejected', x: 'failed' } as const;
  const events = text.split('').map((sign, index): ProbeEvent => {
    const outcome = outcomes[sign as keyof typeof outcomes];
    return { sentMs: 10 * index, receivedMs: 10 * index + 4, outcome };
  });
  const [tracker] = allTrackers().filter((one) => one.class === name);
  const last = events.reduce((now, event) => now?.observe(event), tracker);
  const limits = last?.candidates().map(({ limit }) => limit.hi) ?? [];
  return [...new Set(limits)].sort((a, b) => a - b);
}

const CLASSES: readonly LimiterClass[] = [
  'fixed-window',
  'clock-window',
  'penalty',
  'sliding-log',
  'sliding-log-counting-rejects',
  'token-bucket',
];

describe.each(CLASSES)('a %s', (name) => {
  test('may have counted the request that failed, or not', () => {
    expect(limitsAfter(name, '++++++++-').at(-1)).toBe(8);
    expect(limitsAfter(name, '+++x+++++-')).toEqual(expect.arrayContaining([8, 9]));
    expect(limitsAfter(name, '+++x+++++-').at(-1)).toBe(9);
  });

  test('may have counted all of many that failed, or none', () => {
    const limits = limitsAfter(name, '+x+x+x+x+xx+xx+xx+xx++-');
    expect(limits).toEqual(expect.arrayContaining([10, 22]));
    expect(limits.at(-1)).toBe(22);
  });
});

test('of many failures some ways are dropped, and it is reported', () => {
  const [tracker] = allTrackers().filter((one) => one.class === 'sliding-log');
  const failed = (at: number): ProbeEvent => ({
    sentMs: at,
    receivedMs: at + 1,
    outcome: 'failed',
  });
  const after = (count: number): boolean | undefined =>
    Array.from({ length: count }, (_, index) => failed(10 * index)).reduce(
      (now, event) => now?.observe(event),
      tracker,
    )?.cut;
  expect(after(4)).toBe(false);
  expect(after(5)).toBe(true);
});
