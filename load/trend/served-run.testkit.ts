import type { LoadMoment } from '../../contracts/run/load/load-run.ts';
import { LatencyHistogram } from '../samples/latency-histogram.ts';
import type { Draws } from './nights.testkit.ts';
import { loadOf } from './run-of.testkit.ts';
import type { NightLoad } from './night.ts';

/** Latencies of a run, second by second. */
export type Seconds = readonly (readonly number[])[];

function quantileOf(sorted: Float64Array, share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

/** Latencies that are counted exactly. */
export function countedOf(seconds: Seconds): Pick<LatencyHistogram, 'count' | 'quantileMs'> {
  const sorted = Float64Array.from(seconds.flat()).sort();
  return { count: sorted.length, quantileMs: (share) => quantileOf(sorted, share) };
}

/** What a run record keeps of each second. */
export function momentsOf(seconds: Seconds): LoadMoment[] {
  return seconds.map((latencies, second) => {
    const sorted = Float64Array.from(latencies).sort();
    return {
      second,
      seconds: 1,
      offered: sorted.length,
      admitted: sorted.length,
      throttled: 0,
      errors: 0,
      violations: 0,
      p50Ms: quantileOf(sorted, 0.5),
      p95Ms: quantileOf(sorted, 0.95),
      p99Ms: quantileOf(sorted, 0.99),
    };
  });
}

/** A service with a median of 20 ms, at 100 requests a second. */
export interface Service {
  readonly seconds: number;
  readonly slower?: number;
  /** How far whole seconds scatter, and how much of it stays for the next one. */
  readonly drift?: { readonly spread: number; readonly stays: number };
  /** Every so many seconds, one begins with a pause of so many milliseconds. */
  readonly stall?: { readonly everySeconds: number; readonly ms: number };
}

/** What such a service takes to answer. */
export function answersOf({ normal, uniform }: Draws, service: Service): Seconds {
  const { seconds, slower = 1, drift = { spread: 0, stays: 0 }, stall } = service;
  let level = normal();
  return Array.from({ length: seconds }, () => {
    level = drift.stays * level + Math.sqrt(1 - drift.stays ** 2) * normal();
    const scale = 20 * slower * Math.exp(drift.spread * level);
    const stalled = stall !== undefined && uniform() < 1 / stall.everySeconds;
    return Array.from({ length: 100 }, (_, at) => {
      const left = stalled ? Math.max(0, slower * stall.ms - 10 * at) : 0;
      return left + scale * Math.exp(0.3 * normal());
    });
  });
}

/** The `load` of such a run. */
export function servedLoad(seconds: Seconds): NightLoad {
  const counted = LatencyHistogram.create();
  for (const latency of seconds.flat()) counted.record(latency);
  const load = loadOf(20);
  const whole = { ...load.whole, latency: counted.summary(), histogram: counted.encode() };
  return { ...load, whole, moments: momentsOf(seconds) };
}
