/** Rows of the bench as text. */

import type { BenchRow } from './bench-row.ts';
import { GRADES } from '../../../known-limiters/grade.ts';

/** Goals of the median over all rows of the reference service. */
const MAX_REQUESTS_OVER_BOUND = 1.3;
const MAX_SECONDS_OVER_WINDOW = 2;

const WIDTHS = [38, 32, 11, 11, 5, 5, 8, 7, 7] as const;

/** The line above the rows. */
export function header(): string {
  return line(['limiter', 'truth', 'verdict', 'grade', 'req', 'rej', 's', '/(N+1)', '/W'], 'found');
}

/** One row in one line. */
export function rowText(row: BenchRow): string {
  const { name, parameters, kind, grade, requests, rejects, seconds, found, stopped } = row;
  const columns = [
    name,
    parameters,
    kind === 'unlimited-within-budget' ? 'unlimited' : kind,
    grade,
    String(requests),
    String(rejects),
    seconds.toFixed(1),
    row.requestsOverBound?.toFixed(2) ?? '-',
    row.secondsOverWindow?.toFixed(2) ?? '-',
  ];
  const more = stopped === undefined ? '' : ` (${stopped})`;
  return line(columns, `${found.join(' | ')}${more}`);
}

function line(columns: readonly string[], last: string): string {
  const padded = columns.map((text, at) =>
    // Numbers stand at the right.
    at < 4 ? text.padEnd(WIDTHS[at] ?? 0) : text.padStart(WIDTHS[at] ?? 0),
  );
  return [...padded, last].join(' ').trimEnd();
}

/** Totals and medians, one line each, against the goals where there are some. */
export function summary(rows: readonly BenchRow[]): string[] {
  const reference = rows.filter(({ source }) => source === 'reference');
  const npm = rows.filter(({ source }) => source === 'npm');
  const bound = reference.flatMap((row) => row.requestsOverBound ?? []);
  const windows = reference.flatMap((row) => row.secondsOverWindow ?? []);
  return [
    ...(reference.length === 0
      ? []
      : [
          `reference service: ${counts(reference)} (goal: all right)`,
          `requests over N + 1: median ${shown(bound)} (goal: at most ${MAX_REQUESTS_OVER_BOUND}), worst ${worst(bound)}`,
          `seconds over W: median ${shown(windows)} (goal: at most ${MAX_SECONDS_OVER_WINDOW}), worst ${worst(windows)}`,
        ]),
    ...(npm.length === 0 ? [] : [`limiters from npm: ${counts(npm)} (goal: none WRONG)`]),
  ];
}

/** Whether no limiter was taken for what it is not. */
export function noneWrong(rows: readonly BenchRow[]): boolean {
  return rows.every(({ grade }) => grade !== 'WRONG');
}

function counts(rows: readonly BenchRow[]): string {
  const each = GRADES.map((grade) => {
    const count = rows.filter((row) => row.grade === grade).length;
    return `${count} ${grade}`;
  });
  return `${rows.length} rows, ${each.join(', ')}`;
}

function shown(values: readonly number[]): string {
  return medianOf(values)?.toFixed(2) ?? 'none';
}

function worst(values: readonly number[]): string {
  return values.length === 0 ? 'none' : Math.max(...values).toFixed(2);
}

/** The middle value, of two the mean; undefined of none. */
export function medianOf(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[sorted.length >> 1]];
  return low === undefined || high === undefined ? undefined : (low + high) / 2;
}
