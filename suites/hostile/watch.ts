import { sampleOf } from './process-sample.ts';

/** Looks at a process from time to time, and keeps the most that was seen. */
export interface Watch {
  /** Peak of resident memory; undefined where the system does not tell. */
  readonly megabytes: number | undefined;
  /**
   * For how long the process waited for a processor that others had. A run is mostly one thread after
   * another, the one that drives and the one that judges, so the two that waited longest are added up.
   */
  readonly starvedSeconds: number;
  look(): void;
}

/** @param pid of a process that runs */
export function watchOf(pid: number): Watch {
  const waited = new Map<string, number>();
  let peak: number | undefined;
  return {
    get megabytes() {
      return peak;
    },
    get starvedSeconds() {
      const [first = 0, second = 0] = [...waited.values()].sort((a, b) => b - a);
      return first + second;
    },
    look() {
      const { megabytes, starvedSeconds } = sampleOf(pid);
      if (megabytes !== undefined) peak = Math.max(peak ?? 0, megabytes);
      for (const [thread, seconds] of starvedSeconds) waited.set(thread, seconds);
    },
  };
}
