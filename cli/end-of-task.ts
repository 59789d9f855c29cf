import { given } from '../contracts/wire/json.ts';
import { machineFailureBehind } from './open-files.ts';
import type { RunEnd } from './run-setting.ts';
import type { Task, TaskEnd } from './threads/task.ts';

/** How a task is spoken of. */
export interface TaskWords {
  /** Its noun, e.g. `load`. */
  readonly name: string;
  /** What became of a run that was interrupted, after `The run was interrupted; `. */
  readonly interrupted: string;
  /** What nobody knows of a task that was ended before it came to its end, as a sentence. */
  readonly lost?: string;
}

/**
 * The end of a task of a run that has begun. What this machine lacked ends it early, and is no fault of
 * Assay's.
 *
 * @throws TaskFailed of any other fault
 */
export async function runTaskEnded({
  ended,
}: Pick<Task<RunEnd>, 'ended'>): Promise<TaskEnd<RunEnd>> {
  try {
    return await ended;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (machineFailureBehind(message) === undefined) throw error;
    const value = withoutMachineFailure({ cutShort: true, notices: [], failure: message });
    return { kind: 'done', value };
  }
}

/** The end of a run: what this machine failed at is a notice, and no failure of Assay. */
export function withoutMachineFailure(end: RunEnd): RunEnd {
  const { failure, ...rest } = end;
  const machine = failure === undefined ? undefined : machineFailureBehind(failure);
  if (machine === undefined) return end;
  const notice = `This machine failed, which says nothing of the target: ${machine}.`;
  const others = end.notices.filter((one) => one !== notice);
  return { ...rest, cutShort: true, notices: [notice, ...others] };
}

const INTERRUPTED = 'The run was interrupted; ';

/** The end of a run that was interrupted once more while its record was judged: nothing became of it. */
export function withoutInterruption(end: RunEnd): RunEnd {
  return { ...end, notices: end.notices.filter((one) => !one.startsWith(INTERRUPTED)) };
}

/** What the end of a task means for its run. */
export function endOfTask(
  ended: TaskEnd<RunEnd>,
  wasInterrupted: boolean,
  { name, interrupted: what, lost: unknown }: TaskWords,
): RunEnd {
  const interrupted = `${INTERRUPTED}${what}.`;
  if (ended.kind === 'done') {
    const { cutShort, notices, recorded } = ended.value;
    return {
      cutShort: cutShort || wasInterrupted,
      notices: wasInterrupted ? [interrupted, ...notices] : notices,
      ...given({ recorded }),
    };
  }
  const words = {
    time: `The time of the run ended before the ${name} did, so Assay ended it.`,
    silence: `The ${name} stood still for 10 seconds, so Assay ended it.`,
    memory: `The ${name} took more memory than it may and was ended.`,
  };
  const lost = unknown === undefined ? [] : [unknown];
  // Whoever asks twice is notified of it if the record is left as it is.
  if (ended.by === 'request') return { cutShort: true, notices: lost };
  const isKept = wasInterrupted && unknown === undefined;
  return { cutShort: true, notices: [isKept ? interrupted : words[ended.by], ...lost] };
}
