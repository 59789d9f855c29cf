/** Rows of real limiters as text. */

import { gradesText, lineOf, medianText } from '../known/bench-table.ts';
import { GRADES } from '../../../../load/probe/grade/grade.ts';
import { truthText } from '../../../../fixtures/known-limiters/truth.ts';
import type { WildGrade, WildRow } from './wild-row.ts';

const WILD_GRADES: readonly WildGrade[] = [...GRADES, 'failed', 'left out'];
const WIDTHS = [38, 34, 21, 5, 7, 7, 6, 6] as const;

/** The line above the rows. */
export function wildHeader(): string {
  const columns = ['limiter', 'parameters', 'grade', 'req', 's', '/(N+1)', '/W', 'load'];
  return lineOf(columns, WIDTHS, 3, 'found');
}

/** One row; what may truly be said of the limiter stands below it where something else was. */
export function wildRowText(row: WildRow): string {
  const { limiter, grade, verdict, found, notices } = row;
  const columns = [
    limiter.name,
    limiter.parameters,
    grade,
    String(row.requests),
    row.seconds.toFixed(1),
    row.requestsOverBound?.toFixed(2) ?? '-',
    row.secondsOverWindow?.toFixed(2) ?? '-',
    row.load.toFixed(1),
  ];
  const last = grade === 'left out' || grade === 'failed' ? found : `${verdict}: ${found}`;
  const first = lineOf(columns, WIDTHS, 3, last);
  if (grade === 'right' || grade === 'left out') return first;
  const truths = limiter.truths.map(truthText).join(', or ');
  const note = limiter.note === undefined ? '' : ` (${limiter.note})`;
  return [first, `    in truth: ${truths}${note}`, ...notices.map((text) => `    ${text}`)].join(
    '\n',
  );
}

/** Totals and medians; a limiter that cannot run here counts for nothing. */
export function wildSummary(rows: readonly WildRow[]): string[] {
  const graded = rows.filter(({ grade }) => grade !== 'left out' && grade !== 'failed');
  const bounds = medianText(graded.flatMap((row) => row.requestsOverBound ?? []));
  const windows = medianText(graded.flatMap((row) => row.secondsOverWindow ?? []));
  return [
    `${rows.length} real limiters: ${gradesText(rows, WILD_GRADES)} (goal: none WRONG)`,
    `requests over N + 1: median ${bounds} (goal: at most 2)`,
    `seconds over W: median ${windows} (goal: at most 2.5)`,
  ];
}

/**
 * Whether nothing was taken for what it is not, and all that can run here did.
 *
 * @param all whether what is not installed here is a failure as well
 */
export function wildHolds(rows: readonly WildRow[], all: boolean): boolean {
  const bad: readonly WildGrade[] = ['WRONG', 'failed', ...(all ? (['left out'] as const) : [])];
  return !rows.some(({ grade }) => bad.includes(grade));
}
