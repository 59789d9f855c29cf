import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Scenario } from './scenario.ts';
import { scheduleOf } from './schedule.ts';
import { partOfList, partOfSchedule, SegmentError, segmentOf, sentWords } from './segment.ts';

const scenario: Scenario = {
  name: 'two steps',
  purpose: 'Tries the parts.',
  steps: [
    { name: 'ramp', seconds: 7, fromPerSecond: 3, toPerSecond: 20 },
    { name: 'hold', seconds: 5, fromPerSecond: 11, toPerSecond: 11 },
  ],
  mix: { 'zap.quote': 1 },
  clients: { kind: 'one', count: 1 },
  onThrottle: 'go-on',
  endsWhenBroken: false,
  ceilings: { requests: 10_000, seconds: 100 },
};

test('parts are written as which of how many', () => {
  expect(segmentOf('2/4')).toEqual({ index: 2, of: 4 });
  expect(segmentOf('1000/1000')).toEqual({ index: 1000, of: 1000 });
  for (const text of ['0/4', '5/4', '1/1', '1/1001', '1', '1/4/4', '-1/4', 'a/b', '']) {
    expect(() => segmentOf(text)).toThrow(SegmentError);
  }
  expect(() => segmentOf('5/4')).toThrow(/"5\/4".*e\.g\. 2\/4/);
});

test('the parts of a list are the whole, dealt in turn', () => {
  const parts = [1, 2, 3].map((index) => partOfList(['a', 'b', 'c', 'd', 'e'], { index, of: 3 }));
  expect(parts).toEqual([['a', 'd'], ['b', 'e'], ['c']]);
});

test('the parts of a schedule are the whole, each slot once, when it is due', () => {
  const whole = scheduleOf(scenario);
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 150 }), (partCount) => {
      const seen: number[] = [];
      for (let index = 1; index <= partCount; index += 1) {
        const { schedule: part, wholeSlot } = partOfSchedule(whole, { index, of: partCount });
        expect(part.seconds).toBe(whole.seconds);
        for (let slot = 0; slot < part.slots; slot += 1) {
          const at = wholeSlot(slot);
          seen.push(at);
          expect(part.dueMs(slot)).toBe(whole.dueMs(at));
          expect(part.stepOf(slot)).toBe(whole.stepOf(at));
        }
      }
      expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: whole.slots }, (_, k) => k));
    }),
    { numRuns: 20 },
  );
});

test('each step is dealt from the first part on, as k6 deals it', () => {
  const step = { seconds: 1, fromPerSecond: 5, toPerSecond: 5 };
  const whole = scheduleOf({ ...scenario, steps: ['a', 'b'].map((name) => ({ name, ...step })) });
  const dealt = [1, 2, 3].map((index) => {
    const { schedule, wholeSlot } = partOfSchedule(whole, { index, of: 3 });
    return Array.from({ length: schedule.slots }, (_, slot) => wholeSlot(slot));
  });
  expect(dealt).toEqual([
    [0, 3, 5, 8],
    [1, 4, 6, 9],
    [2, 7],
  ]);
  // A step may hold fewer slots than there are parts.
  expect(partOfSchedule(whole, { index: 7, of: 7 }).schedule.slots).toBe(0);
});

test('what a part sends is its share of the whole', () => {
  const whole = scheduleOf(scenario);
  expect(sentWords(scenario, whole)).toBe('136 requests in 12 s');
  expect(sentWords(scenario, whole, { index: 2, of: 2 })).toBe('part 2 of 2: 67 requests in 12 s');
});
