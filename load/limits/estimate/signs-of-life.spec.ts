import { describe, expect, test } from 'vitest';
import { createLiveness, livenessOf, startBeating } from '../../../target/budget/liveness.ts';
import type { ProbeEvent } from '../transcript.ts';
import { learn, prior } from './posterior.ts';
import { firstMisfit, NOTHING_YET, openingWindow } from './replay-windows.ts';

const EVENTS: readonly ProbeEvent[] = Array.from({ length: 30 }, (_, at) => ({
  ...{ sentMs: 100 * at, receivedMs: 100 * at + 5, burst: at },
  outcome: at < 20 ? 'admitted' : 'rejected',
}));

/** How often the thread showed itself alive while this was computed, its event loop standing still. */
function signsDuring(compute: () => void): number {
  const memory = createLiveness();
  startBeating(memory);
  const before = Atomics.load(livenessOf(memory).beats, 0);
  compute();
  return Atomics.load(livenessOf(memory).beats, 0) - before;
}

describe('a thread that computes for long shows itself alive with each event', () => {
  test('that the classes follow', () => {
    const signs = signsDuring(() => {
      EVENTS.reduce((posterior, event) => learn(posterior, [event]), prior());
    });
    expect(signs).toBeGreaterThanOrEqual(EVENTS.length);
  });

  test('that the reported values are held against', () => {
    const window = openingWindow(20, { lo: 9_000, hi: 11_000 }, false);
    const signs = signsDuring(() => firstMisfit(EVENTS, [NOTHING_YET], window));
    expect(signs).toBe(EVENTS.length);
  });
});
