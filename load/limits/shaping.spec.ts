import { describe, expect, test } from 'vitest';
import { SHAPING_BURST, shapeOf } from './shaping.ts';
import type { ProbeEvent } from './transcript.ts';

/** Answers to bursts of so many at once: each request takes what `tripMs` says. */
function answers(sizes: readonly number[], tripMs: (index: number) => number): ProbeEvent[] {
  const events: ProbeEvent[] = [];
  let nowMs = 0;
  for (const [burst, size] of sizes.entries()) {
    const sentMs = nowMs;
    for (let i = 0; i < size; i += 1) {
      const receivedMs = sentMs + tripMs(i);
      events.push({ sentMs, receivedMs, outcome: 'admitted', burst });
      nowMs = Math.max(nowMs, receivedMs);
    }
  }
  return events;
}

const three = Array<number>(4).fill(SHAPING_BURST);

describe('a service', () => {
  test('whose answers are as fast as ever delays nothing', () => {
    expect(shapeOf(answers([1, 1, 1, 1, 3], () => 5))).toEqual({ kind: 'none' });
  });

  test('whose answers become slow is looked into', () => {
    const events = [...answers([1, 1], () => 5), ...answers([1, 1], () => 200)];
    expect(shapeOf(events)).toEqual({ kind: 'suspected' });
  });

  test('whose first answer was slow already is looked into when more are', () => {
    const events = [200, 5, 200, 200].flatMap((tripMs) => answers([1], () => tripMs));
    expect(shapeOf(events)).toEqual({ kind: 'suspected' });
  });

  test('that answers one by one is steady, at its rate', () => {
    const slow = answers([1, 1, ...three], (index) => 200 * (index + 1));
    const events = [...answers([1, 1], () => 5), ...slow].map((event, at) => ({
      ...event,
      burst: at < 2 ? at : (event.burst ?? 0) + 2,
    }));
    expect(shapeOf(events)).toEqual({ kind: 'steady', refillPerSecond: 5 });
  });

  test('that answers all of a burst alike is slow, and delays none for another', () => {
    const slow = answers([1, 1, ...three], () => 200);
    const events = [...answers([1, 1], () => 5), ...slow].map((event, at) => ({
      ...event,
      burst: at < 2 ? at : (event.burst ?? 0) + 2,
    }));
    expect(shapeOf(events)).toEqual({ kind: 'none' });
  });
});
