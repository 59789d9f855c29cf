import type { LatencyRow } from '../../contracts/run/run.ts';
import { cut } from '../text.ts';
import type { Paint } from './verdict-style.ts';

const COUNT_WIDTH = 9;
const TIME_WIDTH = 11;
/** In fewer columns no name has room beside figures, and gets a line of its own. */
export const LEAST_TABLE = 72;
const NARROW_WIDTH = 7;
const NAMES = ['p50', 'p95', 'p99', 'worst'];

/** How long the operations took to answer, a row for each. */
export function latencyLines(rows: readonly LatencyRow[], width: number, paint: Paint): string[] {
  if (rows.length === 0) return [];
  if (width < LEAST_TABLE) return narrowLines(rows, width, paint);
  const nameWidth = width - 2 - COUNT_WIDTH - 4 * TIME_WIDTH;
  const head = NAMES.map((name) => `${name} ms`.padStart(TIME_WIDTH));
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

function narrowLines(rows: readonly LatencyRow[], width: number, paint: Paint): string[] {
  const cells = (all: readonly string[]): string =>
    `  ${all.map((cell) => cell.padStart(NARROW_WIDTH)).join('')}`;
  return [
    paint('bold', 'Latency by operation, in ms'),
    paint('dim', cells(['answers', ...NAMES])),
    ...rows.flatMap(({ operation, count, p50Ms, p95Ms, p99Ms, worstMs }) => [
      `  ${cut(operation, width - 2)}`,
      cells([String(count), ...[p50Ms, p95Ms, p99Ms, worstMs].map(shortMs)]),
    ]),
  ];
}

function shortMs(ms: number): string {
  return ms.toFixed(ms < 1_000 ? 1 : 0);
}
