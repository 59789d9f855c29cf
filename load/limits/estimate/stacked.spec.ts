import { expect, test } from 'vitest';
import type { LimitEstimate } from './estimate.ts';
import { fixedWindow, slidingLog } from '../simulated/limiters.testkit.ts';
import { stackOf, twoLimits, withStack } from './stacked.ts';
import type { ProbeEvent } from '../transcript.ts';

/** Single requests at these times, s, of a limit of 3 in 10 s within one of 12 in 100 s. */
function asked(atSeconds: readonly number[]): ProbeEvent[] {
  const [inner, outer] = [slidingLog(3, 10_000), fixedWindow(12, 100_000)];
  return atSeconds.map((seconds) => {
    const ms = 1000 * seconds;
    const isIn = inner.decide(ms, ms).admitted && outer.decide(ms, ms).admitted;
    return { sentMs: ms - 2, receivedMs: ms + 2, outcome: isIn ? 'admitted' : 'rejected' };
  });
}

/** The inner one is used up, waited for, used up once more, and asked right before and after it ends. */
const inner = [0, 1, 2, 2.1, 9.98, 10.02, 10.9, 11.02, 12.02, 12.1, 19.98, 20.1, 21.1, 22.1, 22.2];
/** Then the outer one is met, waited for, met again, and waited for again. */
const outer = [
  35, 60, 80, 90, 97, 100.03, 104, 108, 112, 116, 120, 124, 128, 132, 136, 140, 144, 150, 170, 197,
  200.1,
];

const composite: LimitEstimate = {
  kind: 'composite',
  classes: [],
  confidence: 0,
  mismatches: [],
  admittedInARow: 3,
};

test('two limits are known when both were met and waited for twice', () => {
  const stack = stackOf({ events: asked([...inner, ...outer]) });
  const two = stack === null ? null : twoLimits(stack);
  expect([two?.inner.limit.value, two?.outer.limit.value]).toEqual([3, 12]);
  expect(two?.inner.windowSeconds?.value).toBeCloseTo(10, 1);
  expect(two?.outer.windowSeconds?.lo).toBeLessThan(100);
  expect(two?.outer.windowSeconds?.hi).toBeGreaterThan(100);
  expect(withStack(composite, stack)).toMatchObject({
    kind: 'stacked',
    classes: [{ class: 'sliding-log' }, {}],
  });
});

test('two that let as much through in the long run are not told apart', () => {
  const stack = stackOf({ events: asked([...inner, ...outer]) });
  if (stack === null) throw new Error('there is a stack');
  const slow = { value: 25, lo: 25, hi: 25 };
  const alike = { ...stack, inner: { ...stack.inner, windowSeconds: slow } };
  expect(twoLimits(alike)).toBeNull();
});

test('the outer one is not known before it was met again', () => {
  const stack = stackOf({ events: asked([...inner, ...outer.slice(0, 9)]) });
  expect(stack === null ? null : twoLimits(stack)).toBeNull();
  expect(withStack(composite, stack)).toBe(composite);
});

test('a single limit is no stack of two', () => {
  const limiter = fixedWindow(3, 10_000);
  const events = [...inner, ...outer].map((seconds): ProbeEvent => {
    const ms = 1000 * seconds;
    const { admitted } = limiter.decide(ms, ms);
    return { sentMs: ms - 2, receivedMs: ms + 2, outcome: admitted ? 'admitted' : 'rejected' };
  });
  expect(stackOf({ events })).toBeNull();
});

test('rejections in a row are one accident, and one is not enough', () => {
  const stack = stackOf({ events: asked([...inner, ...outer]) });
  if (stack === null) throw new Error('there is a stack');
  // Before the first end of the outer window, and before the second.
  expect(stack.beyond).toBe(2);
  expect(twoLimits(stack)).not.toBeNull();
  expect(twoLimits({ ...stack, beyond: 1 })).toBeNull();
});
