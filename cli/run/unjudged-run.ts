import { type UnjudgedBy, unjudgedNotice } from '../../contracts/run/unjudged.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import { omit } from '../../contracts/wire/json.ts';
import { ownFailure } from '../../reports/run/run-notices.ts';
import { RecordNotWritten } from '../../target/record/record-error.ts';
import { writeJudged } from '../record/record.ts';
import type { RunEnd } from '../run-setting.ts';
import { writeUnfinishedPage } from './report-page.ts';
import type { SealedRecord } from '../tasks/seal.ts';

/**
 * What is said of a run none of whose record was judged, with all that judging it later takes. A record without
 * its last line does not say when the run ended, so the summary does not either.
 *
 * @param unfinished what was written of the run when it began
 * @param sealed what it has recorded; undefined if that is not known
 */
export function unjudgedRun(
  unfinished: RunJson,
  { notices, failure, cutShort, search, replayed, regressions }: RunEnd,
  sealed: SealedRecord | undefined,
  by: UnjudgedBy,
): RunJson {
  const own = failure === undefined ? [] : [ownFailure(failure)];
  const why = unjudgedNotice(by, 0, sealed?.counts.exchanges);
  return {
    ...unfinished,
    ...(sealed === undefined
      ? {}
      : { ...omit(sealed, 'tail'), unjudged: { by, judged: 0, cutShort } }),
    ...(failure === undefined ? {} : { failure }),
    ...(unfinished.replayed === undefined
      ? {}
      : { replayed: { ...replayed, ...unfinished.replayed } }),
    ...(search === undefined ? {} : { search }),
    ...(regressions === undefined ? {} : { regressions }),
    notices: [...own, why, ...notices],
  };
}

/** What stands in the record while it is judged. That the disk is full may be over once the verdicts are there. */
export function keepUnjudged(dir: string, run: RunJson): void {
  try {
    writeUnfinishedPage(dir, writeJudged(dir, run));
  } catch (error) {
    if (!(error instanceof RecordNotWritten)) throw error;
  }
}
