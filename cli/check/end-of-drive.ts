import type { InHand } from '../../contracts/judging/judge.ts';
import { given } from '../../contracts/wire/json.ts';
import type { DriveReport } from '../../suites/drive/index.ts';
import { notify } from '../output.ts';
import type { RunUnderWay } from '../run/run-under-way.ts';
import type { RunEnd } from '../run-setting.ts';
import type { Task, TaskEnd } from '../threads/task.ts';
import { traceOf } from '../threads/task-failed.ts';

/** A notice on a run that a person ended. */
export const INTERRUPTED = 'The run was interrupted; what it had recorded was judged.';

/** How a drive came to its end: as tasks do, or by an error, which no service causes. */
type DriveEnd = TaskEnd<DriveReport> | { readonly kind: 'failed'; readonly failure: string };

/** Waits for the end of a drive. Never rejects: what was recorded until then is judged. */
export async function endOfDrive({ ended }: Pick<Task<DriveReport>, 'ended'>): Promise<DriveEnd> {
  try {
    return await ended;
  } catch (error) {
    const trace = traceOf(error);
    if (trace !== undefined) notify(trace);
    return { kind: 'failed', failure: error instanceof Error ? error.message : String(error) };
  }
}

/** What the end of a drive means for its run, and what is not judged again since judging it stood still. */
export function meaningOf(
  ended: DriveEnd,
  wasInterrupted: boolean,
  { ruleAt }: Pick<RunUnderWay, 'ruleAt'>,
): { readonly end: RunEnd; readonly leaveOut: readonly InHand[] } {
  const interrupted = wasInterrupted ? [INTERRUPTED] : [];
  if (ended.kind === 'done') {
    const { cutShort, notices, recorded, search, replayed, regressions } = ended.value;
    const others = notices.filter((notice) => !interrupted.includes(notice));
    const end = {
      ...{ cutShort, notices: [...interrupted, ...others] },
      ...given({ recorded, search, replayed, regressions }),
    };
    return { end, leaveOut: [] };
  }
  const end: RunEnd = { cutShort: true, notices: interrupted };
  if (ended.kind === 'failed') return { end: { ...end, failure: ended.failure }, leaveOut: [] };
  const { by, inHand } = ended;
  if (by === 'request' || (by === 'time' && wasInterrupted)) return { end, leaveOut: [] };
  const rule = ruleAt(inHand.rule);
  const words = {
    time: 'The time of the run ended before the drive did, so Assay ended it.',
    silence: 'The drive stood still for 10 seconds, so Assay ended it.',
    memory: 'The drive took more memory than it may and was ended.',
  };
  return {
    end: { ...end, notices: [...interrupted, words[by] + wordsOfInHand(inHand, rule)] },
    leaveOut: by !== 'time' && rule !== undefined ? [inHand] : [],
  };
}

function wordsOfInHand({ exchange }: InHand, rule: string | undefined): string {
  if (exchange === 0) return '';
  const judged = rule === undefined ? '' : `, to be judged by ${rule}`;
  return ` It had exchange number ${exchange} of the record in hand${judged}.`;
}
