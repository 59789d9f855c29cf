/** Rows of the bench as text. */

import type { BenchRow } from './bench-row.ts';
import { GRADES } from '../../../../load/probe/grade/grade.ts';
import { median } from '../../../../load/trend/order-statistics.ts';

/** Goals of the median over all rows of the reference service. */
const MAX_REQUESTS_OVER_BOUND = 1.3;
const MAX_SECONDS_OVER_WINDOW = 2;

const WIDTHS = [38, 32, 11, 11, 5, 5, 8, 7, 7] as const;

/** The line above the rows. */
export function header(): string {
  const columns = ['limiter', 'truth', 'verdict', 'grade', 'req', 'rej', 's', '/(N+1)', '/W'];
  return lineOf(columns, WIDTHS, 4, 'found');
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
  return lineOf(columns, WIDTHS, 4, `${found.join(' | ')}${more}`);
}

/**
 * Columns in one line, numbers at the right of theirs.
 *
 * @param words how many of the first columns hold words
 * @param last what follows them, of any length
 */
export function lineOf(
  columns: readonly string[],
  widths: readonly number[],
  words: number,
  last: string,
): string {
  const padded = columns.map((text, at) =>
    at < words ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0),
  );
  return [...padded, last].join(' ').trimEnd();
}

/** Totals and medians, one line each, against the goals if there are some. */
export function summary(rows: readonly BenchRow[]): string[] {
  const reference = rows.filter(({ source }) => source === 'reference');
  const npm = rows.filter(({ source }) => source === 'npm');
  const bound = reference.flatMap((row) => row.requestsOverBound ?? []);
  const windows = reference.flatMap((row) => row.secondsOverWindow ?? []);
  return [
    ...(reference.length === 0
      ? []
      : [
          `reference service: ${reference.length} rows, ${gradesText(reference, GRADES)} (goal: all right)`,
          `requests over N + 1: median ${medianText(bound)} (goal: at most ${MAX_REQUESTS_OVER_BOUND}), worst ${worst(bound)}`,
          `seconds over W: median ${medianText(windows)} (goal: at most ${MAX_SECONDS_OVER_WINDOW}), worst ${worst(windows)}`,
        ]),
    ...(npm.length === 0
      ? []
      : [`limiters from npm: ${npm.length} rows, ${gradesText(npm, GRADES)} (goal: none WRONG)`]),
  ];
}

/** Whether no limiter was taken for what it is not. */
export function noneWrong(rows: readonly BenchRow[]): boolean {
  return rows.every(({ grade }) => grade !== 'WRONG');
}

/** How many rows have each of the grades that any has. */
export function gradesText<Name extends string>(
  rows: readonly { readonly grade: Name }[],
  grades: readonly Name[],
): string {
  const counts = grades.map((grade) => [rows.filter((row) => row.grade === grade).length, grade]);
  return counts.flatMap(([count, grade]) => (count === 0 ? [] : [`${count} ${grade}`])).join(', ');
}

/** The median of what was measured. */
export function medianText(values: readonly number[]): string {
  return values.length === 0 ? 'none' : median(values).toFixed(2);
}

function worst(values: readonly number[]): string {
  return values.length === 0 ? 'none' : Math.max(...values).toFixed(2);
}
