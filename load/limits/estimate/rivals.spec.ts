import { expect, test } from 'vitest';
import { clockWindow } from '../simulated/limiters.testkit.ts';
import type { LimiterClass } from '../models/index.ts';
import type { ProbeEvent } from '../transcript.ts';
import type { ClassEstimate } from './estimate.ts';
import { rivalsOf } from './rivals.ts';

const TRIP_MS = 10;

/** Requests of 10 ms, one after another from these moments on until one is rejected. */
function transcriptOf(...fromMs: readonly number[]): { readonly events: readonly ProbeEvent[] } {
  const limiter = clockWindow(6, 5000, 0);
  const events: ProbeEvent[] = [];
  for (const from of fromMs) {
    for (let sentMs = from, isOpen = true; isOpen; sentMs += TRIP_MS) {
      isOpen = limiter.decide(sentMs + TRIP_MS / 2, sentMs + TRIP_MS).admitted;
      const outcome = isOpen ? 'admitted' : 'rejected';
      events.push({ sentMs, receivedMs: sentMs + TRIP_MS, outcome, burst: events.length });
    }
  }
  return { events };
}

const found: ClassEstimate = {
  class: 'sliding-counter-counting-rejects',
  probability: 0.99,
  limit: { value: 9, lo: 9, hi: 9 },
  windowSeconds: { value: 5, lo: 4.9, hi: 5.1 },
};
/** A window ends within the first burst, so that nine were admitted in a row. */
const transcript = transcriptOf(4970, 11_000, 16_500, 24_900, 25_500);
const rivals = (...lost: readonly LimiterClass[]): unknown =>
  rivalsOf(found, { lost: new Set(lost), transcript });

test('a class that was not followed to the end, and explains all, might be it as well', () => {
  expect(rivals('clock-window')).toMatchObject([
    { class: 'clock-window', limit: { value: 6 }, windowSeconds: { value: 5 } },
  ]);
});

test('one that explains not all is none, nor one that was followed to the end', () => {
  expect(rivals('fixed-window', 'sliding-log')).toEqual([]);
  expect(rivals()).toEqual([]);
});

test('what is to be named is no rival of itself', () => {
  const clock: ClassEstimate = { ...found, class: 'clock-window' };
  expect(rivalsOf(clock, { lost: new Set(['clock-window']), transcript })).toEqual([]);
});
