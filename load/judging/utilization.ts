import { type EventLoopUtilization, performance } from 'node:perf_hooks';

/**
 * Tells which share of the time this thread's event loop was busy since it was last asked, from 0 to
 * 1; the first time, since it was made.
 */
export function utilizationMeter(): () => number {
  let last: EventLoopUtilization = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    return utilization;
  };
}
