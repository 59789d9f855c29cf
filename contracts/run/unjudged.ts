/** Records whose run did not judge them to the end. */

/**
 * What kept a run from judging its record: its time was over · judging stood still · it took more memory
 * than it may · a person asked twice to end it · Assay itself failed at it · the process was ended.
 */
export type UnjudgedBy = 'time' | 'silence' | 'memory' | 'request' | 'failure' | 'end-of-process';

/** What is known of a record that its run did not judge to the end. */
export interface RunUnjudged {
  readonly by: UnjudgedBy;
  /** The first so many exchanges were judged. */
  readonly judged: number;
  /** Whether the run had ended before it was through when it came to judging. */
  readonly cutShort: boolean;
}

const WHY: Readonly<Record<UnjudgedBy, string>> = {
  time: 'The time of the run ended before its record was judged.',
  silence: 'Judging the record did not come to an end.',
  memory: 'Judging the record took more memory than it may.',
  request: 'The run was interrupted twice, so its record was not judged.',
  failure: 'Assay itself failed while it judged the record.',
  'end-of-process': 'The process ended before it had judged the record.',
};

/**
 * What a person must know of a record that was not judged to its end.
 *
 * @param exchanges of the record; undefined if nobody knows how many there are
 */
export function unjudgedNotice(by: UnjudgedBy, judged: number, exchanges?: number): string {
  if (exchanges === undefined) return `${WHY[by]} \`assay judge\` judges what is there.`;
  if (exchanges === 0) return `${WHY[by]} It holds no exchange.`;
  const count = judged === 0 ? 'none was' : `the first ${judged} were`;
  return `${WHY[by]} Of its ${exchanges === 1 ? '1 exchange' : `${exchanges} exchanges`} ${count} judged. \`assay judge\` with its folder ${judgingLater(by)}.`;
}

/** What `assay judge` does with such a record; what went wrong may go wrong again, time apart. */
export function judgingLater(by: UnjudgedBy): string {
  const mayFailAgain = by === 'silence' || by === 'memory' || by === 'failure';
  return mayFailAgain ? 'tries again' : 'judges all that it holds';
}

/** What the summary says of a run whose record was judged later. */
export const COMPLETED =
  'The run did not judge its record to the end, so `assay judge` did that afterwards.';

/**
 * Whether the last lines of a record name its summary, if they are all there: a run writes them once it has judged
 * its record, and whoever completes a record later does not.
 */
export function isNamedInRecord(
  run: Parameters<typeof isJudged>[0] & { readonly notices?: unknown },
): boolean {
  const isCompleted = Array.isArray(run.notices) && run.notices.includes(COMPLETED);
  return isJudged(run) && !isCompleted;
}

/** Whether a summary knows what its run recorded, and so when it ended; else both are left out of reports. */
export function isCounted({
  record,
  counts,
}: {
  readonly record: { readonly head?: string };
  readonly counts: { readonly exchanges: number };
}): boolean {
  return record.head !== undefined || counts.exchanges > 0;
}

/** Whether the verdicts of a run rest on all of its record. */
export function isJudged({
  record,
  unjudged,
}: {
  readonly record: { readonly head?: string };
  readonly unjudged?: RunUnjudged;
}): boolean {
  return record.head !== undefined && unjudged === undefined;
}
