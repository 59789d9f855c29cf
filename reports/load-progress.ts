import { reasonWords } from '../contracts/run/load/fates.ts';
import { cut } from './text.ts';

/** How a load run goes just now, as whoever runs it knows. */
export interface LoadProgressRow {
  readonly offeredPerSecond: number;
  readonly servedPerSecond: number;
  readonly throttledPerSecond: number;
  readonly p99Ms?: number;
  readonly worstLagMs: number;
  /** So far, by reason, the most frequent first. */
  readonly errors: readonly (readonly [reason: string, count: number])[];
  readonly secondsLeft: number;
}

/** More reasons are added up. */
const MAX_REASONS = 3;
/** What nobody need see. */
const MUCH_LAG_MS = 5;

/** One line for a person who waits: step, offered, served, p99, errors by reason, time left. */
export function progressLine(
  progress: LoadProgressRow,
  step: string,
  { broken }: { readonly broken: number },
): string {
  const { offeredPerSecond, servedPerSecond, throttledPerSecond, p99Ms, worstLagMs } = progress;
  const rate = (value: number): string => (value < 10 ? value.toFixed(1) : value.toFixed(0));
  const left = Math.max(0, Math.ceil(progress.secondsLeft));
  return [
    cut(step, 16).padEnd(16),
    `offered ${rate(offeredPerSecond)}/s`,
    `served ${rate(servedPerSecond)}/s`,
    `p99 ${p99Ms === undefined ? '–' : p99Ms.toFixed(0)} ms`,
    ...errorWords(progress),
    ...(throttledPerSecond > 0 ? [`throttled ${rate(throttledPerSecond)}/s`] : []),
    ...(broken > 0 ? [`${broken} wrong`] : []),
    ...(worstLagMs > MUCH_LAG_MS ? [`lag ${worstLagMs.toFixed(0)} ms`] : []),
    left > 0 ? `${left} s left` : 'the last answers',
  ].join('  ');
}

function errorWords({ errors }: LoadProgressRow): string[] {
  const all = errors.reduce((sum, [, count]) => sum + count, 0);
  if (all === 0) return [];
  const shown = errors.slice(0, MAX_REASONS);
  const others = all - shown.reduce((sum, [, count]) => sum + count, 0);
  const parts = [
    ...shown.map(([reason, count]) => `${count} ${reasonWords(reason)}`),
    ...(others > 0 ? [`${others} others`] : []),
  ];
  return [`errors ${all} (${parts.join(', ')})`];
}
