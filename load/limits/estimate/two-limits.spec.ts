import { expect, test } from 'vitest';
import type { LimitEstimate } from './estimate.ts';
import { stackOf, type Stack } from './stacked.ts';
import { asked, INNER, OUTER, OUTER_COUNTING_ALL } from './stacked.testkit.ts';
import { areApart, twoLimits, withStack } from './two-limits.ts';

const composite: LimitEstimate = {
  kind: 'composite',
  classes: [],
  confidence: 0,
  mismatches: [],
  admittedInARow: 3,
};

const transcript = { events: asked([...INNER, ...OUTER]) };

function found(): Stack {
  const stack = stackOf(transcript);
  if (stack === null) throw new Error('there is a stack');
  return stack;
}

test('two limits are known when both were met and waited for twice', () => {
  const two = twoLimits(found(), transcript);
  expect([two?.inner.limit.value, two?.outer.limit.value]).toEqual([3, 12]);
  expect(two?.inner.windowSeconds?.value).toBeCloseTo(10, 1);
  expect(two?.outer.windowSeconds?.lo).toBeLessThan(100);
  expect(two?.outer.windowSeconds?.hi).toBeGreaterThan(100);
  expect(withStack(composite, found(), transcript)).toMatchObject({
    kind: 'stacked',
    classes: [{ class: 'sliding-log' }, {}],
  });
});

test('one rejection makes no outer limit', () => {
  expect(twoLimits({ ...found(), beyond: 1 }, transcript)).toBeNull();
});

test('two that let as much through in the long run are not told apart', () => {
  const two = twoLimits(found(), transcript);
  if (two === null) throw new Error('there are two');
  expect(areApart(two)).toBe(true);
  const slow = { value: 25, lo: 25, hi: 25 };
  expect(areApart({ ...two, inner: { ...two.inner, windowSeconds: slow } })).toBe(false);
});

test('the outer one is not known before it was met again', () => {
  const events = asked([...INNER, ...OUTER.slice(0, 9)]);
  const stack = stackOf({ events });
  expect(stack === null ? null : twoLimits(stack, { events })).toBeNull();
  expect(withStack(composite, stack, { events })).toBe(composite);
});

test('the inner one is not named as what does not explain best what the outer one leaves', () => {
  const stack = found();
  const other = { ...stack.inner, class: 'token-bucket' } as const;
  expect(twoLimits({ ...stack, inner: other }, transcript)).toBeNull();
});

test('an outer one that counts what the inner one rejects is named by what it counts', () => {
  const events = asked([...INNER, ...OUTER_COUNTING_ALL], true);
  const counting = stackOf({ events });
  if (counting === null) throw new Error('there is a stack');
  expect(twoLimits(counting, { events })?.outer.limit.value).toBe(18);
  // Where it may count them or not, and would be another limit then, nothing is named.
  expect(twoLimits({ ...found(), otherwise: counting.outer }, transcript)).toBeNull();
});
