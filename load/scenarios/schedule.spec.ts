import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LoadStep } from './scenario.ts';
import { hold, scenario } from './scenario.testkit.ts';
import { type Schedule, scheduleOf, slotsBefore } from './schedule.ts';

/** Requests that the rates of the steps ask for until a time: the area under them. */
function areaUntil(steps: readonly LoadStep[], seconds: number): number {
  let [area, begins] = [0, 0];
  for (const { seconds: whole, fromPerSecond: from, toPerSecond: to } of steps) {
    const inside = Math.min(whole, Math.max(0, seconds - begins));
    area += inside * (from + ((to - from) * inside) / whole / 2);
    begins += whole;
  }
  return area;
}

function dueTimes(schedule: Schedule): number[] {
  return Array.from({ length: schedule.slots }, (_, slot) => schedule.dueMs(slot));
}

const rate = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 1, max: 300 }),
  fc.double({ min: 0.01, max: 300, noNaN: true }),
);
const step: fc.Arbitrary<LoadStep> = fc.record({
  name: fc.constant('step'),
  seconds: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.double({ min: 0.01, max: 8, noNaN: true })),
  fromPerSecond: rate,
  toPerSecond: rate,
});
const steps = fc.array(step, { minLength: 1, maxLength: 5 });

describe('a schedule', () => {
  test('spaces the requests of one rate evenly, the first at the begin', () => {
    const schedule = scheduleOf(scenario({ steps: [hold(4, 2)] }));
    expect(schedule.seconds).toBe(2);
    expect(dueTimes(schedule)).toEqual([0, 250, 500, 750, 1000, 1250, 1500, 1750]);
  });

  test('makes no request more of a rate that floats cannot hold', () => {
    expect(scheduleOf(scenario({ steps: [hold(10, 0.1)] })).slots).toBe(1);
    expect(scheduleOf(scenario({ steps: [hold(0.1, 30)] })).slots).toBe(3);
    expect(scheduleOf(scenario({ steps: [hold(1 / 3, 9)] })).slots).toBe(3);
  });

  test('sends half of a ramp from nothing in its last 30 percent', () => {
    const ramp = { name: 'ramp', seconds: 10, fromPerSecond: 0, toPerSecond: 20 };
    const schedule = scheduleOf(scenario({ steps: [ramp] }));
    expect(schedule.slots).toBe(100);
    // The area is t², so request 50 is due after the root of 50 seconds.
    expect(schedule.dueMs(50)).toBeCloseTo(1000 * Math.sqrt(50), 6);
    expect(schedule.dueMs(1)).toBeCloseTo(1000, 6);
  });

  test('sends a ramp to nothing as that from nothing, backwards', () => {
    const ramp = { name: 'ramp', seconds: 10, fromPerSecond: 20, toPerSecond: 0 };
    const schedule = scheduleOf(scenario({ steps: [ramp] }));
    expect(schedule.slots).toBe(100);
    expect(schedule.dueMs(50)).toBeCloseTo(10_000 - 1000 * Math.sqrt(50), 6);
  });

  test('waits through a step without requests', () => {
    const schedule = scheduleOf(scenario({ steps: [hold(2, 1), hold(0, 5), hold(2, 1)] }));
    expect(dueTimes(schedule)).toEqual([0, 500, 6000, 6500]);
    expect([0, 1, 2, 3].map((slot) => schedule.stepOf(slot))).toEqual([0, 0, 2, 2]);
    expect(schedule.seconds).toBe(7);
  });

  test('says when each step begins, and which slots it holds', () => {
    const schedule = scheduleOf(
      scenario({ steps: [hold(2, 1, 'first'), hold(0, 5, 'none'), hold(2, 1, 'last')] }),
    );
    expect(schedule.steps).toMatchObject([
      { name: 'first', beginsSeconds: 0, seconds: 1, first: 0, slots: 2 },
      { name: 'none', beginsSeconds: 1, seconds: 5, first: 2, slots: 0 },
      { name: 'last', beginsSeconds: 6, seconds: 1, first: 2, slots: 2 },
    ]);
    expect([0, 1, 500, 501, 6000, 6001, 9000].map((ms) => slotsBefore(schedule, ms))).toEqual([
      0, 1, 1, 2, 2, 3, 4,
    ]);
  });

  test('has k requests due by the time at which the area under the rate is k', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        const schedule = scheduleOf(scenario({ steps: list }));
        let [first, begins] = [0, 0];
        for (const one of list) {
          const slots = Math.ceil(areaUntil([one], one.seconds) - 1e-9);
          for (let at = 0; at < slots; at += 1) {
            const seconds = schedule.dueMs(first + at) / 1000 - begins;
            expect(areaUntil([one], seconds)).toBeCloseTo(at, 5);
            expect(schedule.stepOf(first + at)).toBe(list.indexOf(one));
          }
          first += slots;
          begins += one.seconds;
        }
        expect(schedule.slots).toBe(first);
        await Promise.resolve();
      }),
      { numRuns: 60 },
    );
  });

  test('puts every request after the one before, inside its time and its step', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        const schedule = scheduleOf(scenario({ steps: list }));
        const due = dueTimes(schedule);
        for (const [slot, ms] of due.entries()) {
          expect(ms).toBeGreaterThan(due[slot - 1] ?? -1);
          expect(schedule.stepOf(slot)).toBeGreaterThanOrEqual(schedule.stepOf(slot - 1));
        }
        expect(due.at(-1) ?? 0).toBeLessThanOrEqual(schedule.seconds * 1000);
        await Promise.resolve();
      }),
      { numRuns: 60 },
    );
  });
});
