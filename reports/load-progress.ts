import { cut } from './text.ts';

/** How a load run goes just now, as whoever runs it knows. */
export interface LoadProgressRow {
  readonly sentPerSecond: number;
  readonly admittedPerSecond: number;
  readonly throttledPerSecond: number;
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  readonly worstLagMs: number;
}

/** One line for a person who waits: step, offered, admitted, latencies, violations, lag. */
export function progressLine(
  progress: LoadProgressRow,
  step: string,
  { broken }: { readonly broken: number },
): string {
  const { sentPerSecond, admittedPerSecond, throttledPerSecond, p50Ms, p99Ms, worstLagMs } =
    progress;
  const rate = (value: number): string => (value < 10 ? value.toFixed(1) : value.toFixed(0));
  const ms = (value: number | undefined): string => (value === undefined ? '–' : value.toFixed(0));
  return [
    cut(step, 16).padEnd(16),
    `${rate(sentPerSecond)}/s sent`,
    `${rate(admittedPerSecond)}/s admitted`,
    ...(throttledPerSecond > 0 ? [`${rate(throttledPerSecond)}/s throttled`] : []),
    `p50 ${ms(p50Ms)} p99 ${ms(p99Ms)} ms`,
    ...(broken > 0 ? [`${broken} wrong`] : []),
    `lag ${ms(worstLagMs)} ms`,
  ].join('  ');
}
