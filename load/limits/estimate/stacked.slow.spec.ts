import { describe, expect, test } from 'vitest';
import { fixedWindow, slidingLog, type TestLimiter } from '../simulated/limiters.testkit.ts';
import { simulate } from '../simulated/simulation.testkit.ts';
import { stackOf } from './stacked.ts';
import { twoLimits, withStack } from './two-limits.ts';

/** The outer one counts what the inner one admits. */
function both(inner: TestLimiter, outer: TestLimiter): TestLimiter {
  return {
    decide: (at, doneAt) => {
      const first = inner.decide(at, doneAt);
      return first.admitted ? outer.decide(at, doneAt) : first;
    },
  };
}

const service = { seed: 1, roundTripMs: 2, jitterMs: 0.3, retryAfter: 'none' } as const;

describe('two limits at once', () => {
  test.each([
    ['5 in 2 s and 20 in 30 s', both(fixedWindow(5, 2000), fixedWindow(20, 30_000)), 5, 2, 20, 30],
    [
      '5 in 2 s and 20 in 30 s, both as logs',
      both(slidingLog(5, 2000), slidingLog(20, 30_000)),
      5,
      2,
      20,
      30,
    ],
    ['8 in 2 s and 24 in 9 s', both(slidingLog(8, 2000), fixedWindow(24, 9000)), 8, 2, 24, 9],
  ])('%s are told apart', async (_, limiter, n, seconds, more, longer) => {
    const { estimate, transcript } = await simulate({ ...service, limiter });
    expect(estimate.kind).toBe('stacked');
    const [inner, outer] = estimate.classes;
    expect([inner?.limit.value, outer?.limit.value]).toEqual([n, more]);
    expect(inner?.windowSeconds?.value).toBeCloseTo(seconds, 0);
    expect((outer?.windowSeconds?.value ?? 0) / longer).toBeCloseTo(1, 1);
    // The same from the transcript alone.
    const again = stackOf(transcript);
    expect(again === null ? null : twoLimits(again, transcript)?.outer.limit.value).toBe(more);
  });

  test('are exact or not named where the inner one was hardly seen', async () => {
    const limiter = both(slidingLog(10, 1000), slidingLog(30, 20_000));
    const { estimate } = await simulate({ ...service, limiter });
    const found = estimate.classes.map(({ limit, windowSeconds }) => [
      limit.value,
      Math.round(windowSeconds?.value ?? 0),
    ]);
    expect([estimate.kind, ...found]).toBeOneOf([['composite'], ['stacked', [10, 1], [30, 20]]]);
  });

  test('are not made up where one class explains all', async () => {
    const { estimate, transcript } = await simulate({ ...service, limiter: fixedWindow(6, 2000) });
    expect(estimate.kind).toBe('identified');
    expect(stackOf(transcript)).toBeNull();
    expect(withStack(estimate, stackOf(transcript), transcript)).toBe(estimate);
  });

  test('that hardly differ from chance end as composite, not as one of them', async () => {
    let flip = 0;
    const inner = fixedWindow(5, 4000);
    const workers: TestLimiter = {
      decide: (at, doneAt) => {
        flip = (flip * 7 + 3) % 11;
        const answer = inner.decide(at, doneAt);
        return flip % 3 === 0 ? { admitted: false, waitMs: 1000 } : answer;
      },
    };
    const { estimate } = await simulate({ ...service, limiter: workers });
    expect(['composite', 'ambiguous']).toContain(estimate.kind);
  });
});
