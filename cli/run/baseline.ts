import { resolve } from 'node:path';
import type { RunJson } from '../../contracts/run/run.ts';
import type { Clock } from '../../target/budget/clock.ts';
import { UsageError } from '../exit-code.ts';
import { withoutSecrets } from '../safe-text.ts';
import { exitOf } from '../threads/task-failed.ts';
import { notify } from '../output.ts';
import type { CompareRunsInput } from '../tasks/compare-runs.ts';
import { startTask } from '../threads/task.ts';
import type { EndedBy } from '../threads/watchdog.ts';

/** Looking at a baseline before anything is sent may take this long. */
const LOOKING_MS = 30_000;

/**
 * The folder that `--baseline` names, looked at before anything is sent.
 *
 * @param seed of the run that is to be compared, if it is going to be made
 * @throws UsageError when it holds no record of a check
 */
export async function baselineOf(
  { baseline: named }: Readonly<Record<string, unknown>>,
  seed: number | undefined,
  clock: Pick<Clock, 'nowMs'>,
): Promise<string | undefined> {
  if (typeof named !== 'string') return undefined;
  const baseline = resolve(named);
  const endMs = clock.nowMs() + LOOKING_MS;
  const ended = await startTask('look-at-baseline', { baseline }, clock, endMs).ended;
  if (ended.kind === 'ended') {
    throw new UsageError(`the baseline ${named} cannot be compared with: ${WHY[ended.by]}.`);
  }
  if (!ended.value.isCheck) {
    throw new UsageError(
      `the baseline ${named} is no record of assay check. Name one that is; assay load has a --baseline of its own.`,
    );
  }
  if (seed !== undefined && ended.value.seed !== seed) {
    notify(
      `assay: the baseline was made with --seed ${ended.value.seed}, this run is with ${seed}: other requests are sent, so little is said of what is fixed.`,
    );
  }
  return baseline;
}

/** What a run is compared with once it is judged: a record, or why there is none. */
export type BaselineAtHand =
  { readonly dir: string; readonly isBeside: boolean } | { readonly why: string };

/** A run that could not be compared. */
export function withoutBaseline(run: RunJson, why: string): RunJson {
  const notice = withoutSecrets(`The baseline was not compared: ${why}.`);
  return { ...run, notices: [...run.notices, notice] };
}

/** A comparison being made. */
export interface BaselineUnderWay {
  /** The run with it, or with a notice that says why there is none. */
  readonly run: Promise<RunJson>;
  /** Gives it up, for a person who asks twice. */
  readonly leave: () => void;
}

/**
 * Compares a run that was judged with its baseline. Whatever goes wrong there changes no verdict.
 *
 * @param deadlineMs when there is no time left for it, on the clock
 * @param isAsked whether nothing else is asked for: then an error of a record is thrown
 */
export function withBaseline(
  input: CompareRunsInput & { readonly run: RunJson },
  clock: Pick<Clock, 'nowMs'>,
  deadlineMs: number,
  isAsked = false,
): BaselineUnderWay {
  const { run } = input;
  const task = startTask('compare-runs', input, clock, deadlineMs);
  const without = (why: string): RunJson => withoutBaseline(run, why);
  return {
    run: task.ended.then(
      (ended) =>
        ended.kind === 'done' ? { ...run, baseline: ended.value } : without(WHY[ended.by]),
      (error: unknown) => {
        if (isAsked) throw error;
        if (exitOf(error) === undefined)
          notify(`assay: comparing with the baseline failed: ${words(error)}`);
        return without(words(error).replace(/\.$/, ''));
      },
    ),
    leave: () => {
      task.end('request');
    },
  };
}

function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const WHY: Readonly<Record<EndedBy, string>> = {
  time: 'the time for it was over',
  silence: 'reading it did not come to an end',
  memory: 'reading it took more memory than it may',
  request: 'it was interrupted',
};
