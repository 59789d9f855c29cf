import { basename, join, resolve } from 'node:path';
import type { RunJson } from '../../contracts/run/run.ts';
import type { Clock } from '../../target/budget/clock.ts';
import { renderHtml } from '../../reports/html/html.ts';
import { withoutSecrets } from '../safe-text.ts';
import { notify } from '../output.ts';
import { removeWithParts, writeWhole } from '../record/write-whole.ts';
import { PAGE_FILE, pageTemplate } from '../record/page-file.ts';
import { EXIT } from '../exit-code.ts';
import { startTask, type Task } from '../threads/task.ts';
import { TaskFailed } from '../threads/task-failed.ts';
import type { EndedBy } from '../threads/watchdog.ts';

/**
 * Writes the page of a run that has only begun, or is not judged yet, so that a killed run leaves one that
 * says so. Nothing in it comes from an exchange.
 */
export function writeUnfinishedPage(dir: string, run: RunJson): void {
  const name = withoutSecrets(basename(resolve(dir)));
  try {
    const source = { run, exchanges: new Map(), leftOut: 0, name };
    writeWhole(join(dir, PAGE_FILE), renderHtml([source], pageTemplate(), { clauses: [] }));
  } catch (error) {
    notify(`assay: there will be no page of this run if it is killed: ${String(error)}`);
  }
}

/** A page being made. */
export interface PageUnderWay {
  /** The file of the page; undefined if none was made, which the person was notified of. */
  readonly made: Promise<string | undefined>;
  /** Whether there is none because the system would not have it written, as on a full disk. */
  readonly isRefused: () => boolean;
  /** Gives it up, for a person who asks twice. */
  readonly leave: () => void;
}

/**
 * Makes the page of a judged run, in a thread of its own. Whatever goes wrong there changes nothing of
 * the run.
 *
 * @param dir the record that its exchanges stand in
 * @param out the folder that the page goes to
 * @param run as it was written
 * @param deadlineMs when there is no time left for it, on the clock
 * @param history a folder of earlier runs, whose index this run is added to
 */
export function makePage(
  dir: string,
  out: string,
  run: RunJson,
  clock: Pick<Clock, 'nowMs'>,
  deadlineMs: number,
  history?: string,
): PageUnderWay {
  const file = join(out, PAGE_FILE);
  const task: Task<void> = startTask(
    'page',
    { dir, run, file, ...(history === undefined ? {} : { history }) },
    clock,
    deadlineMs,
  );
  let isRefused = false;
  return {
    made: task.ended.then(
      (ended) => (ended.kind === 'done' ? file : notMade(file, WHY[ended.by])),
      (error: unknown) => {
        isRefused = error instanceof TaskFailed && error.exit === EXIT.failed;
        return notMade(file, error instanceof Error ? error.message : String(error));
      },
    ),
    isRefused: () => isRefused,
    leave: () => {
      task.end('request');
    },
  };
}

function notMade(file: string, why: string): string | undefined {
  // What stands there says that the run has only begun.
  removeWithParts(file);
  notify(`assay: the HTML report was not made: ${why}. The record is whole without it.`);
  return undefined;
}

const WHY: Readonly<Record<EndedBy, string>> = {
  time: 'the time of the run was over',
  silence: 'it did not come to an end',
  memory: 'it took more memory than it may',
  request: 'it was interrupted',
};
