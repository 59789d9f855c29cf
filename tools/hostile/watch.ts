import { sampleOf, type ThreadTimes } from './process-sample.ts';

/** Looks at a process from time to time, and keeps the most that was seen. */
export interface Watch {
  /** Peak of resident memory; undefined if the system does not say. */
  readonly megabytes: number | undefined;
  /**
   * For how long the process waited for a processor that others had. A run is mostly one thread after
   * another, the one that drives and the one that judges. So the two that did most are added up; what
   * the busiest did is not taken away.
   */
  starvedSecondsOf(elapsedSeconds: number): number;
  /** What all threads that were seen had of processors. */
  readonly busySeconds: number;
  look(): void;
}

/** @param pid of a process that runs */
export function watchOf(pid: number): Watch {
  const threads = new Map<string, ThreadTimes>();
  let peak: number | undefined;
  return {
    get megabytes() {
      return peak;
    },
    get busySeconds() {
      return [...threads.values()].reduce((sum, { busySeconds }) => sum + busySeconds, 0);
    },
    starvedSecondsOf(elapsedSeconds) {
      const [first, second] = [...threads.values()].sort((a, b) => b.busySeconds - a.busySeconds);
      const waited = (first?.starvedSeconds ?? 0) + (second?.starvedSeconds ?? 0);
      return Math.max(0, Math.min(waited, elapsedSeconds - (first?.busySeconds ?? 0)));
    },
    look() {
      const { megabytes, threads: seen } = sampleOf(pid);
      if (megabytes !== undefined) peak = Math.max(peak ?? 0, megabytes);
      for (const [thread, times] of seen) threads.set(thread, times);
    },
  };
}
