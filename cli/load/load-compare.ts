import type { Clock } from '../../target/budget/clock.ts';
import { parseThreshold, type Threshold } from '../../contracts/run/load/threshold.ts';
import { UsageError } from '../exit-code.ts';
import type { LimitsWish } from './load-limits.ts';
import { exitOf } from '../threads/task-failed.ts';
import { notify } from '../output.ts';
import type {
  CompareLoadInput,
  EarlierRuns,
  LookAtEarlierInput,
  SeenBaseline,
} from '../tasks/load/compare-load.ts';
import { startTask, type Task } from '../threads/task.ts';
import type { EndedBy } from '../threads/watchdog.ts';

/** Reading earlier runs may take this long before anything is sent, and once more at the end. */
export const COMPARING_SECONDS = 60;

/** Held if earlier runs are given, and nobody says otherwise. */
const USUAL = 'slower==0';

/** Thresholds by when they are held: by the run itself, or once it was compared with earlier ones. */
export interface PartedThresholds {
  readonly ofRun: readonly Threshold[];
  readonly ofComparison: readonly Threshold[];
}

/**
 * Parts the thresholds of a run.
 *
 * @throws UsageError when one speaks of earlier runs and none is given
 */
export function partedThresholds(
  thresholds: readonly Threshold[],
  { history, baseline }: EarlierRuns,
): PartedThresholds {
  const ofRun = thresholds.filter(({ metric }) => metric !== 'slower');
  const written = thresholds.filter(({ metric }) => metric === 'slower');
  const [first] = written;
  if (history !== undefined || baseline !== undefined) {
    return { ofRun, ofComparison: first === undefined ? [parseThreshold(USUAL)] : written };
  }
  if (first === undefined) return { ofRun, ofComparison: [] };
  throw new UsageError(
    `the threshold ${first.expression} speaks of earlier runs: give them with --history or --baseline, or leave it out`,
  );
}

/**
 * Looks at earlier runs before anything is sent.
 *
 * @throws HistoryUnreadable, by way of TaskFailed
 * @throws UsageError when that takes too much
 */
export async function lookAtEarlier(
  input: LookAtEarlierInput,
  clock: Pick<Clock, 'nowMs'>,
): Promise<SeenBaseline | undefined> {
  const endMs = clock.nowMs() + 1000 * COMPARING_SECONDS;
  const ended = await startTask('look-at-earlier', input, clock, endMs).ended;
  if (ended.kind === 'done') return ended.value;
  const named = Object.values(input.earlier).join(' and ');
  throw new UsageError(`the earlier runs in ${named} cannot be compared with: ${WHY[ended.by]}`);
}

/**
 * Looks at the record of limits that a rate is to follow, before anything is sent, and says what nothing covers of it.
 *
 * @throws RecordAltered, by way of TaskFailed, when it is not as its run left it
 * @throws UsageError when that takes too much
 */
export async function lookAtLimits(
  { dir }: LimitsWish,
  clock: Pick<Clock, 'nowMs'>,
): Promise<void> {
  const endMs = clock.nowMs() + 1000 * COMPARING_SECONDS;
  const ended = await startTask('basis-notice', { dir }, clock, endMs).ended;
  if (ended.kind !== 'done')
    throw new UsageError(`the limits in ${dir} cannot be followed: ${WHY[ended.by]}`);
  if (ended.value !== undefined) notify(`assay: ${ended.value}`);
}

/** A comparison that goes on. */
export interface Comparing {
  /** How Assay itself failed, if it did; the record has no comparison then. */
  readonly ended: Promise<string | undefined>;
  /** Ends it now; it is reported as not made then. */
  readonly leave: () => void;
}

/** Starts the task that compares. */
export type StartComparing = (input: CompareLoadInput) => Pick<Task<void>, 'ended' | 'end'>;

/** The task in a thread of its own, ended in time. */
export function comparingTask(clock: Pick<Clock, 'nowMs'>): StartComparing {
  return (input) =>
    startTask('compare-load', input, clock, clock.nowMs() + 1000 * COMPARING_SECONDS);
}

/**
 * Compares the run of a record with earlier ones; if that does not come to an end, the record says so.
 * What the load has measured is kept whatever becomes of it.
 */
export function compareWithEarlier(input: CompareLoadInput, start: StartComparing): Comparing {
  let comparing: ReturnType<StartComparing> | undefined;
  async function compare(): Promise<string | undefined> {
    try {
      comparing = start(input);
      const ended = await comparing.ended;
      if (ended.kind === 'done') return undefined;
      comparing = start({ ...input, unread: WHY[ended.by] });
      await comparing.ended;
      return undefined;
    } catch (error) {
      if (exitOf(error) !== undefined) throw error;
      return error instanceof Error ? error.message : String(error);
    }
  }
  return { ended: compare(), leave: () => comparing?.end('request') };
}

const WHY: Readonly<Record<EndedBy, string>> = {
  time: `reading them took longer than ${COMPARING_SECONDS} seconds.`,
  silence: 'reading them did not come to an end.',
  memory: 'reading them took more memory than it may.',
  request: 'it was interrupted.',
};
