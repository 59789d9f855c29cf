import { describe, expect, test } from 'vitest';
import { LatencyHistogram } from '../samples/latency-histogram.ts';
import { scenarioOf, steady } from '../samples/sample.testkit.ts';
import type { Sample } from '../load-sink.ts';
import { runVirtually } from './open-loop/virtual-target.testkit.ts';

const RATE = 100;
const BASE_MS = 20;
const PERIOD_MS = 10_000;
const STALL_MS = 1_000;

/** When an answer is complete of a server that takes 20 ms and does nothing in one second of ten. */
function stalling(arrivesMs: number): number {
  const inPeriod = arrivesMs % PERIOD_MS;
  const stallsFrom = PERIOD_MS - STALL_MS;
  return inPeriod < stallsFrom ? arrivesMs + BASE_MS : arrivesMs - inPeriod + PERIOD_MS + BASE_MS;
}

function quantiles(latencies: readonly number[]): number[] {
  const histogram = LatencyHistogram.create();
  for (const latency of latencies) histogram.record(latency);
  return [0.5, 0.95, 0.99, 0.999].map((share) => histogram.quantileMs(share));
}

const latencyOf = ({ endMs, dueMs }: Sample): number => endMs - dueMs;

describe('a server that stalls', () => {
  const scenario = scenarioOf([steady(RATE, 60)]);
  const dues = Array.from({ length: RATE * 60 }, (_, slot) => (slot * 1000) / RATE);
  const truth = quantiles(dues.map((dueMs) => stalling(dueMs) - dueMs));

  test('has its true latencies in an open loop', async () => {
    const { samples, facts } = await runVirtually(scenario, (nowMs) => ({
      endMs: stalling(nowMs),
    }));
    expect(samples).toHaveLength(6_000);
    expect(facts).toMatchObject({ waitedAtCeiling: 0, dropped: 0 });
    const measured = quantiles(samples.map(latencyOf));
    for (const [at, exact] of truth.entries()) {
      expect(Math.abs((measured[at] ?? 0) - exact) / exact).toBeLessThan(0.05);
    }
  });

  test('has them also if all wait for ten connections, and that is reported', async () => {
    const { samples, facts } = await runVirtually(
      scenario,
      (nowMs) => ({ endMs: stalling(nowMs) }),
      { connections: 10 },
    );
    expect(facts.waitedAtCeiling).toBeGreaterThan(400);
    const fromDue = quantiles(samples.map(latencyOf));
    const fromWire = quantiles(samples.map(({ endMs, wireMs = 0 }) => endMs - wireMs));
    expect(fromDue[2]).toBeGreaterThan(850);
    // What a tool says that counts from when a request really left.
    expect(fromWire[2]).toBeLessThan(200);
  });

  test('looks well in a loop that waits for answers', () => {
    const latencies: number[] = [];
    for (let nowMs = 0; nowMs < 60_000;) {
      const endMs = stalling(nowMs);
      latencies.push(endMs - nowMs);
      nowMs = Math.max(endMs, nowMs + 1000 / RATE);
    }
    const closed = quantiles(latencies);
    expect(truth[2]).toBeGreaterThan(900);
    expect(closed[2]).toBeLessThan(25);
  });
});
