/** Rows of real limiters as text. */

import { medianOf } from '../known/bench-table.ts';
import { GRADES } from '../../../known-limiters/grade.ts';
import { short, truthText } from '../../../known-limiters/truth.ts';
import type { WildGrade, WildRow } from './wild-row.ts';

const WILD_GRADES: readonly WildGrade[] = [...GRADES, 'failed', 'left out'];
const WIDTHS = [38, 34, 21, 5, 7, 7, 6, 6] as const;

/** The line above the rows. */
export function wildHeader(): string {
  return line(['limiter', 'parameters', 'grade', 'req', 's', '/(N+1)', '/W', 'load'], 'found');
}

/** One row; what may truly be said of the limiter stands below it where something else was. */
export function wildRowText(row: WildRow): string {
  const { limiter, grade, verdict, found, notices } = row;
  const first = line(
    [
      limiter.name,
      limiter.parameters,
      grade,
      String(row.requests),
      row.seconds.toFixed(1),
      row.requestsOverBound?.toFixed(2) ?? '-',
      row.secondsOverWindow?.toFixed(2) ?? '-',
      row.load.toFixed(1),
    ],
    grade === 'left out' || grade === 'failed' ? found : `${verdict}: ${found}`,
  );
  if (grade === 'right' || grade === 'left out') return first;
  const truths = limiter.truths.map(truthText).join(', or ');
  const note = limiter.note === undefined ? '' : ` (${limiter.note})`;
  return [first, `    in truth: ${truths}${note}`, ...notices.map((text) => `    ${text}`)].join(
    '\n',
  );
}

function line(columns: readonly string[], last: string): string {
  const padded = columns.map((text, at) =>
    at < 3 ? text.padEnd(WIDTHS[at] ?? 0) : text.padStart(WIDTHS[at] ?? 0),
  );
  return [...padded, last].join(' ').trimEnd();
}

/** Totals and medians; a limiter that cannot run here counts for nothing. */
export function wildSummary(rows: readonly WildRow[]): string[] {
  const graded = rows.filter(({ grade }) => grade !== 'left out' && grade !== 'failed');
  const counts = WILD_GRADES.flatMap((grade) => {
    const count = rows.filter((row) => row.grade === grade).length;
    return count === 0 ? [] : [`${count} ${grade}`];
  });
  const bounds = medianOf(graded.flatMap((row) => row.requestsOverBound ?? []));
  const windows = medianOf(graded.flatMap((row) => row.secondsOverWindow ?? []));
  return [
    `${rows.length} real limiters: ${counts.join(', ')} (goal: none WRONG)`,
    `requests over N + 1: median ${bounds === undefined ? 'none' : short(bounds)} (goal: at most 2)`,
    `seconds over W: median ${windows === undefined ? 'none' : short(windows)} (goal: at most 2.5)`,
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
