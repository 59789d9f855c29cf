import type { Threshold } from './thresholds.ts';

/**
 * The thresholds of a run: those that somebody wrote, and the usual ones of what nobody wrote any for.
 */
export function withUsual(
  written: readonly Threshold[],
  usual: readonly Threshold[],
): readonly Threshold[] {
  const key = ({ operation = '', metric }: Threshold): string => `${operation}:${metric}`;
  const taken = new Set(written.map(key));
  return [...written, ...usual.filter((one) => !taken.has(key(one)))];
}
