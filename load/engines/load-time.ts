import { systemNowMs } from '../../target/budget/clock.ts';

/** Time as an engine sees it; passed in, so that tests run on a clock of their own. */
export interface LoadTime {
  /** Milliseconds since the epoch, with fractions; never runs backwards. */
  nowMs(): number;
  /** Calls back after a millisecond, or what the system makes of it. */
  tick(callback: () => void): void;
  /** Calls back as soon as what has come in meanwhile was looked at. */
  soon(callback: () => void): void;
}

/** What a run took of the generator so far. */
export interface GeneratorUse {
  /** From 0 to 1: the share of time in which the event loop of this thread did something. */
  readonly eventLoopUtilization: number;
  /** Of the process, all its threads. */
  readonly cpuSeconds: number;
}

/** Begins to measure; the result states what was used since. */
export type GeneratorGauge = () => () => GeneratorUse;

/** The time of the machine. */
export const SYSTEM_LOAD_TIME: LoadTime = {
  nowMs: systemNowMs,
  tick: (callback) => void setTimeout(callback, 1),
  soon: (callback) => void setImmediate(callback),
};

/** What the system says of this thread and process. */
export const SYSTEM_GAUGE: GeneratorGauge = () => {
  const [loop, cpu] = [performance.eventLoopUtilization(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    const { utilization } = performance.eventLoopUtilization(loop);
    return {
      eventLoopUtilization: Math.min(1, Math.max(0, utilization)),
      cpuSeconds: (user + system) / 1_000_000,
    };
  };
};
