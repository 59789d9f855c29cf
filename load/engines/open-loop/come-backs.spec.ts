import { describe, expect, test } from 'vitest';
import { scenarioOf, steady } from '../../samples/sample.testkit.ts';
import { cpuClock } from '../../../contracts/cpu-clock.testkit.ts';
import type { ReadyRequest } from '../sending/ready-request.ts';
import { ComeBacks } from './come-backs.ts';
import { runVirtually, type VirtualAnswer } from './virtual-target.testkit.ts';

/** Has as many wait, takes each off, and has it wait once more. @returns places as they were taken */
function herdOf(size: number): { readonly spentMs: number; readonly places: readonly number[] } {
  const ready = {} as ReadyRequest;
  const spent = cpuClock();
  const waiting = new ComeBacks();
  const add = (slot: number, dueMs: number): void => {
    waiting.add({ plan: { ...{ slot, dueMs }, step: 0, client: 0, cameBack: 1 }, ready });
  };
  // In no order, ten of them at each time.
  for (let slot = 0; slot < size; slot += 1) add(slot, (slot * 7919) % (size / 10));
  const places: number[] = [];
  for (let at = 0; at < 2 * size; at += 1) {
    const { slot = NaN, dueMs = NaN } = waiting.take()?.plan ?? {};
    places.push(dueMs * size + slot);
    if (at < size) add(slot, dueMs + size);
  }
  expect(waiting.nextDueMs).toBe(Infinity);
  return { spentMs: spent(), places };
}

test('a herd that was asked to wait for any times comes back in the order of its times, each for little more in a large one', () => {
  const [small, large] = [herdOf(5_000), herdOf(40_000)];
  const { places } = large;
  expect(places.every((place, at) => at === 0 || place > (places[at - 1] ?? NaN))).toBe(true);
  // Eight times as many; if each costs as much as there are of them, it is 64 times.
  expect(large.spentMs).toBeLessThan(30 * Math.max(10, small.spentMs));
});

describe('throttled requests that come back', () => {
  const scenario = scenarioOf([steady(10, 1, 'flood'), steady(0, 4, 'drain')], {
    onThrottle: 'come-back',
  });
  const throttledUntil =
    (ms: number) =>
    (nowMs: number): VirtualAnswer =>
      nowMs < ms
        ? { endMs: nowMs + 5, status: 429, headers: [['Retry-After', '2']], body: '{}' }
        : { endMs: nowMs + 5 };

  test('obey the announced wait, keep their slot, and their latency counts from there', async () => {
    const { samples } = await runVirtually(scenario, throttledUntil(950));
    expect(samples).toHaveLength(20);
    const back = samples.filter(({ firstDueMs }) => firstDueMs !== undefined);
    expect(back.map(({ slot }) => slot)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    for (const { slot, dueMs, firstDueMs, endMs, step, fate } of back) {
      expect(firstDueMs).toBe(slot * 100);
      expect(dueMs - slot * 100).toBeGreaterThanOrEqual(2_005);
      expect(dueMs - slot * 100).toBeLessThan(2_008);
      expect(endMs - dueMs).toBeLessThan(8);
      expect([step, fate]).toEqual([1, 'served']);
    }
  });

  test('come back in the order of their times', async () => {
    const called: number[] = [];
    await runVirtually(scenario, (nowMs, { plan }) => {
      called.push(plan.dueMs);
      // Later ones are asked to wait for less.
      const wait = String(Math.max(0, 3 - Math.floor(nowMs / 300)));
      return plan.cameBack > 0
        ? { endMs: nowMs + 1 }
        : { endMs: nowMs + 1, status: 429, body: `{"retryAfter":${wait}}` };
    });
    expect(called).toHaveLength(20);
    expect(called).toEqual([...called].sort((a, b) => a - b));
  });

  test('do so only as long as the schedule lasts', async () => {
    const { samples, time } = await runVirtually(scenario, throttledUntil(Infinity));
    expect(samples).toHaveLength(30);
    expect(samples.every(({ dueMs }) => dueMs < 5_000)).toBe(true);
    expect(time.nowMs()).toBeLessThan(1_000_000 + 5_100);
  });

  test('do so at most 20 times, and never beyond the ceiling on requests', async () => {
    const atOnce = (nowMs: number): VirtualAnswer => ({
      endMs: nowMs + 1,
      status: 429,
      body: '{"retryAfter":0}',
    });
    expect((await runVirtually(scenario, atOnce)).samples).toHaveLength(10 * 21);
    const ceilings = { requests: 25, seconds: 10 };
    expect((await runVirtually({ ...scenario, ceilings }, atOnce)).samples).toHaveLength(25);
  });

  test.each([
    ['were answered without a wait', { body: '{}' }],
    ['were answered with nonsense', { body: '{"retryAfter":-5}' }],
    ['were asked to wait for longer than the run', { body: '{"retryAfter":3600}' }],
  ])('stay away if they %s', async (_, answer) => {
    const { samples } = await runVirtually(scenario, (nowMs) => ({
      endMs: nowMs + 1,
      status: 429,
      ...answer,
    }));
    expect(samples).toHaveLength(10);
  });

  test('stay away in a scenario that goes on', async () => {
    const { samples } = await runVirtually(
      { ...scenario, onThrottle: 'go-on' },
      throttledUntil(950),
    );
    expect(samples).toHaveLength(10);
  });
});
