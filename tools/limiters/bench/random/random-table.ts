/** Rows of random services as text. */

import { medianText } from '../known/bench-table.ts';
import { GRADES, type Grade } from '../../../../load/probe/grade/grade.ts';
import type { RandomRow } from './random-row.ts';

/** What is wanted of all: right or ambiguous with the truth inside at least, wrong at most; medians. */
const MIN_TRUE_PERCENT = 97;
const MAX_WRONG_PERCENT = 0.3;
const MAX_REQUESTS_OVER_BOUND = 2;
const MAX_SECONDS_OVER_WINDOW = 2.5;

/** Grades of what is true as it is reported. */
const TRUE: readonly Grade[] = ['right', 'right as far as tried', 'ambiguous'];

/** One that is not right, to look into: `--random 1 --seed N` probes it again. */
export function randomRowText(row: RandomRow): string {
  const { kind, found, extent } = row;
  const isSure = kind === 'identified' || kind === 'stacked';
  return [
    `${row.grade} seed ${row.seed}: ${row.truth}`,
    `  ${row.network}`,
    `  ${kind}${isSure ? ` ${percent(row.confidence)} sure` : ''}: ${found.join(' | ') || 'nothing'}`,
    ...(extent === '' ? [] : [`  ${extent}`]),
    `  ${row.stopped} after ${row.requests} requests, ${row.seconds.toFixed(1)} s`,
  ].join('\n');
}

/** Grades by class, and what the probes cost, against the goals. */
export function randomSummary(rows: readonly RandomRow[]): string[] {
  const classes = [...new Set(rows.map((row) => row.class))].sort();
  const bounds = rows.map((row) => row.requestsOverBound);
  const windows = rows.flatMap((row) => row.secondsOverWindow ?? []);
  const computing = rows.reduce((sum, row) => sum + row.computingSeconds, 0);
  const requests = rows.reduce((sum, row) => sum + row.requests, 0);
  const share = (...grades: readonly Grade[]): number =>
    rows.filter(({ grade }) => grades.includes(grade)).length / Math.max(1, rows.length);
  return [
    gradeLine('', GRADES),
    ...classes.map((name) =>
      gradesOf(
        name,
        rows.filter((row) => row.class === name),
      ),
    ),
    gradesOf('all', rows),
    '',
    `right, or ambiguous with the truth inside: ${percent(share('right', 'ambiguous'))}; with the inner of two limits, right as far as tried: ${percent(share(...TRUE))} (goal: at least ${MIN_TRUE_PERCENT} %)`,
    `wrong: ${percent(share('WRONG'))} (goal: at most ${MAX_WRONG_PERCENT} %)`,
    `requests over N + 1: median ${medianText(bounds)} (goal: at most ${MAX_REQUESTS_OVER_BOUND})`,
    `seconds over W: median ${medianText(windows)} (goal: at most ${MAX_SECONDS_OVER_WINDOW})`,
    `computing: ${((1000 * computing) / Math.max(1, requests)).toFixed(2)} ms a request`,
  ];
}

/** Whether both goals of the grades are met. */
export function randomGoalsMet(rows: readonly RandomRow[]): boolean {
  const count = (...grades: readonly Grade[]): number =>
    rows.filter(({ grade }) => grades.includes(grade)).length;
  const isTrue = count(...TRUE) >= (MIN_TRUE_PERCENT / 100) * rows.length;
  return isTrue && count('WRONG') <= (MAX_WRONG_PERCENT / 100) * rows.length;
}

/** The longest grade, and a space. */
const GRADE_WIDTH = 22;

function gradesOf(name: string, rows: readonly RandomRow[]): string {
  return gradeLine(
    name,
    GRADES.map((grade) => String(rows.filter((row) => row.grade === grade).length)),
  );
}

function gradeLine(name: string, columns: readonly string[]): string {
  return `${name.padEnd(34)}${columns.map((text) => text.padStart(GRADE_WIDTH)).join('')}`;
}

function percent(part: number): string {
  return `${(100 * part).toFixed(1)} %`;
}
