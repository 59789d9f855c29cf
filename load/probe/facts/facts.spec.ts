import { expect, test } from 'vitest';
import type { ClassEstimate, Parameter, ProbeResult } from '../../limits/index.ts';
import { factsOf } from './facts.ts';
import { words } from './words.ts';

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

const at = (value: number, lo = value, hi = value): Parameter => ({ value, lo, hi });

/** A result with these classes, of a probe that ended so. */
function resultOf(
  estimate: Partial<ProbeResult['estimate']>,
  outcomes = '+',
  stopped: ProbeResult['stopped'] = 'identified',
): ProbeResult {
  const signs = { '+': 'admitted', '-': 'rejected', x: 'failed' } as const;
  const events = Array.from(outcomes, (sign, second) => ({
    sentMs: 1000 * second,
    receivedMs: 1000 * second + 10,
    outcome: signs[sign as keyof typeof signs],
  }));
  return {
    estimate: {
      ...{ kind: 'identified', classes: [], confidence: 0.97, mismatches: [], admittedInARow: 0 },
      ...estimate,
    },
    transcript: { events },
    ...{ stopped, requests: events.length, rejects: 0, seconds: 1 },
  };
}
const WINDOW: ClassEstimate = {
  class: 'fixed-window',
  probability: 1,
  limit: at(20),
  windowSeconds: at(10),
};

test('what was identified stays so when the probe is interrupted, all else is inconclusive', () => {
  const verdictIn = (
    kind: ProbeResult['estimate']['kind'],
    stopped: ProbeResult['stopped'],
  ): string => factsOf(resultOf({ kind, classes: [WINDOW] }, '+', stopped)).estimate.verdict;
  expect(verdictIn('identified', 'interrupted')).toBe('identified');
  expect(verdictIn('ambiguous', 'interrupted')).toBe('inconclusive');
  expect(verdictIn('ambiguous', 'failing')).toBe('inconclusive');
  expect(verdictIn('ambiguous', 'max-requests')).toBe('ambiguous');
});

test('where nothing was let in nothing is known of a limit', () => {
  const { estimate } = factsOf(resultOf({ kind: 'unlimited-within-budget' }, 'xx--'));
  expect(estimate.verdict).toBe('inconclusive');
});

test('a value is told where all classes that are left agree on it', () => {
  const limitOf = (...limits: readonly number[]): number | undefined => {
    const classes = limits.map((limit) => ({ ...WINDOW, limit: at(limit) }));
    return factsOf(resultOf({ kind: 'ambiguous', classes })).estimate.limit;
  };
  expect(limitOf(20, 21)).toBe(20);
  expect(limitOf(20, 30)).toBeUndefined();
  expect(limitOf(20, 12)).toBeUndefined();
  const apart = [20, 12].map((limit) => ({ ...WINDOW, limit: at(limit) }));
  expect(factsOf(resultOf({ kind: 'ambiguous', classes: apart })).intervals.limit).toBeUndefined();
});

test('what is known by far too wide an interval is told as none', () => {
  const classes = [{ ...WINDOW, windowSeconds: at(10, 5, 40) }];
  const { estimate, intervals } = factsOf(resultOf({ classes }));
  expect(estimate.windowSeconds).toBeUndefined();
  expect(intervals.windowSeconds).toEqual([5, 40]);
  const unknown = factsOf(resultOf({ classes: [{ ...WINDOW, windowSeconds: at(10, 1, 11) }] }));
  expect(unknown.intervals.windowSeconds).toBeUndefined();
});

test('of an identified limit it is told how far it was tried, of others all that was let in', () => {
  const envelopeOf = (kind: 'identified' | 'ambiguous'): unknown =>
    factsOf(resultOf({ kind, classes: [WINDOW] }, '+'.repeat(15) + '-+')).estimate.envelope;
  expect(envelopeOf('identified')).toEqual([
    { seconds: 10, requests: 10 },
    { seconds: 16.1, requests: 16 },
  ]);
  expect(envelopeOf('ambiguous')).toContainEqual({ seconds: 1, requests: 1 });
});

test('a failure ends no run of admissions, a rejection does', () => {
  expect(factsOf(resultOf({}, '++x+-+')).estimate.admitted).toEqual({ requests: 3, seconds: 3.01 });
});

test('classes have the names of the command line', () => {
  const { estimate } = factsOf(resultOf({ classes: [{ ...WINDOW, class: 'penalty' }, WINDOW] }));
  expect(estimate.algorithms).toEqual(['penalty-block', 'fixed-window']);
});

test('of an interval refill the facts say how many come together, and each how many seconds', () => {
  const found: ClassEstimate = {
    ...{ class: 'interval-refill', probability: 1, limit: at(10), burst: at(10), refill: at(4) },
    ...{ intervalSeconds: at(2, 1.99, 2.01), windowSeconds: at(5), refillPerSecond: at(2) },
  };
  const { estimate, intervals } = factsOf(resultOf({ classes: [found] }));
  expect(estimate).toMatchObject({ burst: 10, refill: 4, intervalSeconds: 2, refillPerSecond: 2 });
  expect(intervals).toMatchObject({ refill: [4, 4], intervalSeconds: [1.99, 2.01] });
});

test('of two limits each is told with every class that explains it', () => {
  const outer: ClassEstimate = {
    ...{ class: 'sliding-log', alike: ['fixed-window', 'penalty'], probability: 1 },
    ...{ limit: at(90), windowSeconds: at(60) },
  };
  const result = resultOf({ kind: 'stacked', classes: [WINDOW, outer] });
  expect(factsOf(result).estimate.stacked).toEqual([
    { algorithm: 'fixed-window', limit: 20, windowSeconds: 10 },
    {
      ...{ algorithm: 'sliding-log', alternatives: ['fixed-window', 'penalty-block'] },
      ...{ limit: 90, windowSeconds: 60 },
    },
  ]);
  expect(words(factsOf(result))).toBe(
    'stacked, fixed-window, 20 requests in 10 s, and sliding-log or fixed-window or penalty-block, 90 requests in 60 s',
  );
});
