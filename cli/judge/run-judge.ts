import { NOT_COVERED } from '../../contracts/run/record-lines.ts';
import { createSystemClock } from '../../target/budget/clock.ts';
import { readNamedConfig } from '../config.ts';
import { reportToActions } from '../run/actions.ts';
import { contractsOf } from '../flags/named-contracts.ts';
import { EXIT, type ExitCode, exitCodeOf } from '../exit-code.ts';
import { onInterruption } from '../interruption.ts';
import { print, notify } from '../output.ts';
import { writeJudged } from '../record/record.ts';
import { makePage, type PageUnderWay } from '../run/report-page.ts';
import { makeRecordFolder } from '../../target/record/recorder.ts';
import { processStartedMs, runTimes } from '../../target/budget/run-times.ts';
import { show, type Showing, showingOf } from '../show.ts';
import type { JudgedAgainRun } from '../tasks/judge.ts';
import { startTask, type Task } from '../threads/task.ts';
import { untilJudged } from '../threads/until-judged.ts';
import { WHY_NOT_JUDGED } from '../run/why-not-judged.ts';

/** What judging may take when nobody says otherwise. */
export const JUDGE_SECONDS = 600;

/** What no record says by itself, since whoever writes all of it anew writes its chain as well. */
const UNSIGNED =
  'Nobody signed this record: only a signature protects against somebody who rewrites everything (`assay report --release` with --signing-key).';

/** If standard output is for a program, or for the outcome alone, people read the other one. */
function sayFirst(line: string, showing: Showing): void {
  if (showing === 'json' || showing === 'quiet') notify(line);
  else print(`${line}\n`);
}

/** Judges the exchanges of a record again, by the rules of this version. */
export async function judgeAgain(
  dir: string,
  flags: Readonly<Record<string, unknown>>,
): Promise<ExitCode> {
  const { contracts, allowRefs, maxContractBytes, waivers, out, maxSeconds, ...rest } =
    await readNamedConfig({
      flags: { maxSeconds: String(JUDGE_SECONDS), ...flags, contracts: contractsOf(flags) },
      env: {},
      cwd: process.cwd(),
      defaultSeed: 0,
    });
  if (out !== undefined) makeRecordFolder(out);
  const clock = createSystemClock();
  const times = runTimes(processStartedMs(), maxSeconds, 0);
  let judging: Task<JudgedAgainRun> | undefined;
  let making: PageUnderWay | undefined;
  const leave = (): void => {
    judging?.end('request');
    making?.leave();
  };
  const interruption = onInterruption(leave, leave);
  try {
    const ended = await untilJudged((leaveOut) => {
      judging = startTask(
        'judge-again',
        {
          ...{ dir, waivers, leaveOut },
          config: {
            ...{ contracts, allowRefs, maxContractBytes },
            ...(rest.rules === undefined ? {} : { rules: rest.rules }),
          },
          stopAtMs: times.judgeStopMs,
        },
        clock,
        times.judgeEndMs,
      );
      return judging;
    });
    if (ended.kind === 'done') {
      const { run, completes } = ended.value;
      const showing = showingOf(flags);
      if (run.notices[0] === NOT_COVERED) sayFirst(NOT_COVERED, showing);
      // Another folder leaves the record as it is.
      const folder = out ?? (completes ? dir : undefined);
      let page: string | undefined;
      if (folder !== undefined) {
        const written = writeJudged(folder, run);
        making = makePage(dir, folder, written, clock, times.judgeEndMs);
        page = await making.made;
      }
      show(run, out ?? dir, showing, page);
      if (showing !== 'quiet') notify(UNSIGNED);
      if (flags.annotations !== false) {
        const hasContracts = contracts.length === 0;
        await reportToActions({ run, dir, config: flags.config, hasContracts });
      }
      return making?.isRefused() === true ? EXIT.failed : exitCodeOf(run);
    }
    notify(`assay: ${WHY_NOT_JUDGED[ended.by]} Nothing was judged.`);
    return ended.by === 'silence' || ended.by === 'memory' ? EXIT.failed : EXIT.undecided;
  } finally {
    interruption.end();
  }
}
