import type { LatencyRow } from '../../contracts/run/run.ts';
import { cut } from '../text.ts';
import type { Paint } from './verdict-style.ts';

const COUNT_WIDTH = 9;
const TIME_WIDTH = 11;

/** How long the operations took to answer, a row for each. */
export function latencyLines(rows: readonly LatencyRow[], width: number, paint: Paint): string[] {
  if (rows.length === 0) return [];
  const nameWidth = width - 2 - COUNT_WIDTH - 4 * TIME_WIDTH;
  const head = ['p50', 'p95', 'p99', 'worst'].map((name) => `${name} ms`.padStart(TIME_WIDTH));
  const title = 'Latency by operation'.padEnd(nameWidth + 2);
  return [
    `${paint('bold', title)}${paint('dim', ['answers'.padStart(COUNT_WIDTH), ...head].join(''))}`,
    ...rows.map(({ operation, count, p50Ms, p95Ms, p99Ms, worstMs }) => {
      const times = [p50Ms, p95Ms, p99Ms, worstMs].map((ms) => ms.toFixed(1).padStart(TIME_WIDTH));
      const name = cut(operation, nameWidth - 1).padEnd(nameWidth);
      return `  ${name}${String(count).padStart(COUNT_WIDTH)}${times.join('')}`;
    }),
  ];
}
