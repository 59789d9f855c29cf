import { expect, test } from 'vitest';
import type { ProbeResult } from '../limits/planner/run-probe.ts';
import { factsOf } from './facts.ts';

test.each([
  [true, 'rejected'],
  [false, 'not-tried'],
] as const)('of a queue the facts say what passes at once and what waits', (rejects, beyond) => {
  const result: ProbeResult = {
    estimate: {
      kind: 'shaped',
      classes: [],
      confidence: 0.9,
      mismatches: [],
      admittedInARow: 13,
      refillPerSecond: 5,
      shaping: { free: 7, perSecond: 5, together: 1, held: 6, rejects },
    },
    transcript: { events: [{ sentMs: 0, receivedMs: 1, outcome: 'admitted' }] },
    stopped: 'shaped',
    requests: 1,
    rejects: 0,
    seconds: 1,
  };
  expect(factsOf(result).estimate).toMatchObject({
    verdict: 'shaped',
    burst: 7,
    refillPerSecond: 5,
    queue: { requests: 6, beyond },
  });
});
