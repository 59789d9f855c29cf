import { expect, test } from 'vitest';
import { fixedWindow } from '../simulated/limiters.testkit.ts';
import { stacked, stackOf } from './stacked.ts';
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

test('what is rejected together with what the outer limit rejected is none that the inner one rejected', () => {
  const stack = stackOf({ events: asked([...INNER, ...OUTER_COUNTING_ALL], true) });
  if (stack === null) throw new Error('there is a stack');
  const lastMs = stack.outer.transcript.events.at(-1)?.receivedMs ?? 0;
  const together = Array.from({ length: 8 }, (): ProbeEvent => {
    const ms = { sentMs: lastMs + 10_000, receivedMs: lastMs + 10_004 };
    return { ...ms, outcome: 'rejected', burst: 99 };
  });
  const after = stacked(stack, together);
  const seen = after?.outer.transcript.events.slice(-together.length);
  expect(seen?.map(({ outcome }) => outcome)).toEqual(together.map(() => 'rejected'));
});
