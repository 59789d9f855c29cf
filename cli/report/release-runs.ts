import { createSystemClock } from '../../target/budget/clock.ts';
import type { OwnRulesSource } from '../../target/config/own-rules.ts';
import { processStartedMs, runTimes } from '../../target/budget/run-times.ts';
import { EXIT, type ExitCode, UsageError } from '../exit-code.ts';
import { onInterruption } from '../interruption.ts';
import { notify } from '../output.ts';
import type {
  OpenCertificateInput,
  OpenCertificateOutput,
} from '../tasks/release/open-certificate.ts';
import type { HistoryReported } from '../tasks/history/prune-history.ts';
import type { ReleaseRunInput, ReleaseRunOutput } from '../tasks/release/release-run.ts';
import { startTask, type Task } from '../threads/task.ts';
import { untilJudged } from '../threads/until-judged.ts';
import type { EndedBy } from '../threads/watchdog.ts';
import { WHY_NOT_JUDGED } from '../run/why-not-judged.ts';

/** What judging one run may take when nobody says otherwise. */
const SECONDS_EACH = 600;
/** A release rests on a few runs; more are a mistake in a glob. */
const MAX_RUNS = 100;

/** Runs tasks one after the other in the time that all of them have. */
export interface Watch {
  /** A certificate that was looked at; an exit code when that did not come to its end. */
  readonly open: (input: OpenCertificateInput) => Promise<OpenCertificateOutput | ExitCode>;
  /** The runs of a folder of records; an exit code when it was not read to its end. */
  readonly beside: (dir: string) => Promise<HistoryReported | ExitCode>;
  /** A record judged for a release; an exit code when it was not judged to its end. */
  readonly judge: (
    dir: string,
    purpose: ReleaseRunInput['purpose'],
  ) => Promise<ReleaseRunOutput | ExitCode>;
}

/**
 * Gives work on records the threads that it takes, and ends them when the time is over or the user
 * interrupts.
 *
 * @param flag `--max-seconds` as it was written
 * @param ownRules where the rules stand that the configuration of the runs brought
 * @throws UsageError when it is no time, or there are too many runs
 */
export async function watched(
  runs: number,
  flag: string | undefined,
  ownRules: OwnRulesSource | undefined,
  work: (watch: Watch) => Promise<ExitCode>,
): Promise<ExitCode> {
  if (runs > MAX_RUNS) throw new UsageError(`${runs} runs are too many; ${MAX_RUNS} at the most.`);
  const seconds = flag === undefined ? SECONDS_EACH * runs : secondsOf(flag);
  const clock = createSystemClock();
  const times = runTimes(processStartedMs(), seconds, 0);
  const own = ownRules === undefined ? {} : { ownRules };
  let current: Pick<Task<unknown>, 'end'> | undefined;
  const leave = (): void => current?.end('request');
  const interruption = onInterruption(leave, leave);
  const begun = <T>(task: Task<T>): Task<T> => {
    current = task;
    // Between two tasks there was none to end.
    if (interruption.isAsked()) leave();
    return task;
  };
  try {
    return await work({
      open: async (input) => {
        const end = await begun(startTask('open-certificate', input, clock, times.judgeEndMs))
          .ended;
        return end.kind === 'done' ? end.value : notJudged(end.by);
      },
      beside: async (dir) => {
        const input = { dir, isDryRun: true };
        const end = await begun(startTask('history', input, clock, times.judgeEndMs)).ended;
        return end.kind === 'done' ? end.value : notJudged(end.by);
      },
      judge: async (dir, purpose) => {
        const { judgeStopMs: stopAtMs, judgeEndMs } = times;
        const end = await untilJudged((leaveOut) =>
          begun(
            startTask(
              'release-run',
              { dir, purpose, leaveOut, stopAtMs, ...own },
              clock,
              judgeEndMs,
            ),
          ),
        );
        if (end.kind !== 'done') return notJudged(end.by);
        const { isWhole, judged } = end.value;
        if (!isWhole) return notJudged('time');
        if (judged.failure === undefined) return end.value;
        notify(
          `assay: Assay itself failed at ${dir}, which says nothing of the target: ${judged.failure}`,
        );
        return EXIT.failed;
      },
    });
  } finally {
    interruption.end();
  }
}

function notJudged(by: EndedBy): ExitCode {
  notify(`assay: ${WHY_NOT_JUDGED[by]} Nothing was decided.`);
  return by === 'silence' || by === 'memory' ? EXIT.failed : EXIT.undecided;
}

function secondsOf(flag: string): number {
  const seconds = Number(flag);
  if (/^\d{1,9}(?:\.\d{1,3})?$/.test(flag) && seconds > 0) return seconds;
  throw new UsageError(`--max-seconds takes a number above 0, not "${flag}"`);
}
