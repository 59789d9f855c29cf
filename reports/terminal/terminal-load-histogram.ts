import type { LoadRow } from '../../contracts/run/load/load-run.ts';
import type { Paint } from './verdict-style.ts';

const BAR_WIDTH = 40;

/**
 * Where the latencies of served answers lie, by the percentiles that are known: each bar is as long as
 * the latency below which so many answers came, against the slowest.
 */
export function loadHistogram(row: LoadRow | undefined, paint: Paint): string[] {
  if (row === undefined || row.latency.count === 0) return [];
  const { p50Ms = 0, p95Ms = 0, p99Ms = 0, p999Ms = 0, worstMs = 0 } = row.latency;
  const rows = [
    ['half', p50Ms],
    ['95 %', p95Ms],
    ['99 %', p99Ms],
    ['99.9 %', p999Ms],
    ['slowest', worstMs],
  ] as const;
  const most = Math.max(worstMs, Number.MIN_VALUE);
  return rows.map(([name, value], at) => {
    const label = paint('dim', (at === 0 ? 'latency' : '').padEnd(12));
    const bar = '▇'.repeat(Math.max(1, Math.round((BAR_WIDTH * value) / most)));
    const text = value < 10 ? value.toFixed(1) : String(Math.round(value));
    return `${label}${name.padEnd(8)} ${paint('cyan', bar)} ${text} ms`;
  });
}
