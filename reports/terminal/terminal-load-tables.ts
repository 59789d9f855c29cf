/** The tables of what came of a load, step by step and operation by operation. */

import { answeredPerSecond } from '../../contracts/run/load/answered-rate.ts';
import { errorsOf } from '../../contracts/run/load/fates.ts';
import type {
  LatencySummary,
  LoadOperationRow,
  LoadRow,
  LoadStepRow,
} from '../../contracts/run/load/load-run.ts';
import { latencyOf } from '../../contracts/run/load/selected-row.ts';
import type { Latency } from '../../contracts/run/load/threshold.ts';
import { cut } from '../text.ts';
import { count, dash, latencyCell, ms, rate } from './load-figures.ts';
import type { Paint } from './verdict-style.ts';

/** Each step in a line; nothing if there are none. */
export function stepTable(steps: readonly LoadStepRow[], width: number, paint: Paint): string[] {
  const isKnown = steps.some(({ answered }) => answered !== undefined);
  const cells = steps.map((step) => stepCells(step, isKnown));
  return tableLines('step', cells, width, paint);
}

/** Each operation in a line; nothing if there are none. */
export function operationTable(
  operations: readonly LoadOperationRow[],
  width: number,
  paint: Paint,
): string[] {
  return tableLines('operation', operations.map(operationCells), width, paint);
}

/** Latency of the whole run, of served answers and of all that was not throttled. */
export function latencyTable(
  row: LoadRow,
  paint: Paint,
  without: readonly string[] = [],
): string[] {
  const line = (name: string, cells: readonly string[]): string =>
    `  ${name.padEnd(16)}${cells.map((cell) => cell.padStart(CELL_WIDTH)).join('')}`;
  const rowOf = (name: string, requests: number | undefined, of?: 'served'): string =>
    line(
      name,
      requests === undefined
        ? ['not known']
        : [count(requests), ...SHOWN.map((one) => latencyCell(latencyOf(row, one, of)))],
    );
  return [
    paint('dim', line('latency, ms', ['requests', 'p50', 'p95', 'p99', 'p99.9', 'slowest'])),
    rowOf('served', row.latency.count, 'served'),
    rowOf('all unthrottled', row.allLatency?.count),
    ...without.map((words) => paint('dim', `  without a ${words}`)),
  ];
}

/** Others stand on the page and in run.json. */
const SHOWN: readonly Latency[] = ['p50', 'p95', 'p99', 'p99.9', 'max'];

function timesOf(latency: LatencySummary): string[] {
  const { p50Ms, p95Ms, p99Ms, p999Ms } = latency;
  return [p50Ms, p95Ms, p99Ms, p999Ms].map((one) =>
    latency.count === 0 || one === undefined ? '–' : ms(one),
  );
}

/** A cell of a table: its text, and whether it wants attention. */
interface Cells {
  readonly name: string;
  readonly cells: readonly string[];
}

const COLUMNS = ['offered', 'served', 'p50', 'p95', 'p99', 'p99.9', 'throttl.', 'errors', 'wrong'];
const CELL_WIDTH = 9;

function stepCells(step: LoadStepRow, isKnown: boolean): Cells {
  const served = answeredPerSecond(step, step.seconds, isKnown);
  const rates = [rate(step.offeredPerSecond), served === undefined ? '–' : rate(served)];
  return { name: step.name, cells: [...rates, ...rowCells(step), dash(step.violations)] };
}

function operationCells(row: LoadOperationRow): Cells {
  const { offered, served } = row.counts;
  return { name: row.operation, cells: [count(offered), count(served), ...rowCells(row)] };
}

function rowCells({ latency, counts }: LoadRow): string[] {
  return [...timesOf(latency), dash(counts.throttled), dash(errorsOf(counts))];
}

/** A narrow terminal shows fewer columns: these go first, and all stand in run.json. */
const DISPENSABLE = ['p99.9', 'p50', 'offered', 'p99', 'throttl.', 'p95', 'served'];
/** What the names of the rows get at least. */
const LEAST_NAME = 15;

/** The places of the columns for which there is room beside a name. */
function columnsIn(width: number, columns: readonly string[]): number[] {
  const room = Math.floor((width - 2 - LEAST_NAME) / CELL_WIDTH);
  const left = DISPENSABLE.filter((name) => columns.includes(name)).slice(
    0,
    Math.max(0, columns.length - room),
  );
  return columns.flatMap((name, at) => (left.includes(name) ? [] : [at]));
}

/** More rows are left to run.json. */
const MAX_ROWS = 24;

function tableLines(
  what: 'step' | 'operation',
  rows: readonly Cells[],
  width: number,
  paint: Paint,
): string[] {
  if (rows.length === 0) return [];
  const all = what === 'step' ? COLUMNS : COLUMNS.slice(0, -1);
  const kept = columnsIn(width, all);
  const columns = kept.map((at) => all[at] ?? '');
  const nameWidth = Math.min(
    Math.max(16, ...rows.map(({ name }) => name.length)),
    width - 2 - columns.length * CELL_WIDTH,
  );
  const line = (name: string, cells: readonly string[]): string =>
    `  ${cut(name, nameWidth).padEnd(nameWidth)}${cells.map((cell) => cell.padStart(CELL_WIDTH)).join('')}`;
  const left = rows.length - MAX_ROWS;
  return [
    paint('dim', line(what === 'step' ? 'step, /s and ms' : 'requests and ms', columns)),
    ...rows.slice(0, MAX_ROWS).map(({ name, cells }) =>
      line(
        name,
        kept.map((at) => cells[at] ?? ''),
      ),
    ),
    ...(left > 0 ? [`  ${left} more in run.json`] : []),
  ];
}
