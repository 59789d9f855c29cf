import type { RunEnd } from './run-setting.ts';
import type { TaskEnd } from './threads/task.ts';

/** How a task is spoken of. */
export interface TaskWords {
  /** Its noun, e.g. `load`. */
  readonly name: string;
  /** What became of a run that was interrupted, after `The run was interrupted; `. */
  readonly interrupted: string;
}

/** What the end of a task means for its run. */
export function endOfTask(
  ended: TaskEnd<RunEnd>,
  wasInterrupted: boolean,
  { name, interrupted: what }: TaskWords,
): RunEnd {
  const interrupted = `The run was interrupted; ${what}.`;
  if (ended.kind === 'done') {
    const { cutShort, notices } = ended.value;
    return wasInterrupted
      ? { cutShort: true, notices: [...notices, interrupted] }
      : { cutShort, notices };
  }
  const words = {
    time: `The time of the run ended before the ${name} did, which was ended from outside.`,
    silence: `The ${name} stood still for 10 seconds and was ended from outside.`,
    memory: `The ${name} took more memory than it may and was ended.`,
    request: interrupted,
  };
  return { cutShort: true, notices: [wasInterrupted ? interrupted : words[ended.by]] };
}
