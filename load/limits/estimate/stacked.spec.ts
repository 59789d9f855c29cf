import { expect, test } from 'vitest';
import { fixedWindow } from '../simulated/limiters.testkit.ts';
import { stackOf } from './stacked.ts';
import { asked, INNER, OUTER, OUTER_COUNTING_ALL } from './stacked.testkit.ts';
import type { ProbeEvent } from '../transcript.ts';

test('a single limit is no stack of two', () => {
  const limiter = fixedWindow(3, 10_000);
  const events = [...INNER, ...OUTER].map((seconds): ProbeEvent => {
    const ms = 1000 * seconds;
    const { admitted } = limiter.decide(ms, ms);
    return { sentMs: ms - 2, receivedMs: ms + 2, outcome: admitted ? 'admitted' : 'rejected' };
  });
  expect(stackOf({ events })).toBeNull();
});

test('rejections in a row are one accident', () => {
  const stack = stackOf({ events: asked([...INNER, ...OUTER]) });
  if (stack === null) throw new Error('there is a stack');
  // Before the first end of the outer window, and before the second.
  expect(stack.beyond).toBe(2);
});

test('what the outer limit counts is told by what it admits', () => {
  const stack = stackOf({ events: asked([...INNER, ...OUTER]) });
  expect([stack?.countsAll, stack?.otherwise]).toEqual([false, undefined]);
  const all = stackOf({ events: asked([...INNER, ...OUTER_COUNTING_ALL], true) });
  expect([all?.countsAll, all?.otherwise]).toEqual([true, undefined]);
});
