import { randomUUID } from 'node:crypto';
import type { ContractFiles } from '../../contracts/document/contract-files.ts';
import type { InHand } from '../../contracts/judging/judge.ts';
import { beginningOf } from '../../contracts/run/record-lines.ts';
import type { RunJson, RunKind } from '../../contracts/run/run.ts';
import { isJudged } from '../../contracts/run/unjudged.ts';
import { given } from '../../contracts/wire/json.ts';
import { createSystemClock, systemNowMs } from '../../target/budget/clock.ts';
import type { ContractsOfConfig } from '../../target/config/contract-overrides.ts';
import { createRecord } from '../../target/record/recorder.ts';
import { withoutInterruption, withoutMachineFailure } from '../end-of-task.ts';
import { reportToActions } from './actions.ts';
import { EXIT, type ExitCode, exitCodeOf } from '../exit-code.ts';
import { notify } from '../output.ts';
import { RecordNotWritten } from '../../target/record/record-error.ts';
import {
  type BaselineAtHand,
  type BaselineUnderWay,
  withBaseline,
  withoutBaseline,
} from './baseline.ts';
import { exitOf } from '../threads/task-failed.ts';
import { type KnownAtHand, withKnown } from './known-file.ts';
import { notPrepared } from './not-prepared.ts';
import { runWithoutSecrets, writeJudged } from '../record/record.ts';
import { makePage, type PageUnderWay, writeUnfinishedPage } from './report-page.ts';
import type { RunEnd, RunSetting } from '../run-setting.ts';
import { keepUnjudged, unjudgedRun } from './unjudged-run.ts';
import { type RunTimes, sealEndMs } from '../../target/budget/run-times.ts';
import { show, type Showing } from '../show.ts';
import { removeWithParts } from '../record/write-whole.ts';
import { appendJudged } from '../record/judged-line.ts';
import { keepContracts } from '../record/contracts-record.ts';
import { startTask, type Task } from '../threads/task.ts';
import type { SealedRecord } from '../tasks/seal.ts';
import { untilJudged } from '../threads/until-judged.ts';
import type { EndedBy } from '../threads/watchdog.ts';

/** What a run begins with. */
export interface RunBeginning {
  readonly recordDir: string;
  readonly config: ContractsOfConfig;
  readonly kind: RunKind;
  readonly setting: Omit<RunSetting, 'recordId' | 'kind'>;
  readonly times: RunTimes;
  readonly showing: Showing;
  /** What the person who waits asked for: whether GitHub Actions is given the run. */
  readonly flags: Readonly<Record<string, unknown>>;
  /** Operations that the run is to ask for. */
  readonly operations?: readonly string[];
  /** Certificate authorities to trust besides those of Node, in PEM. */
  readonly ca?: string | undefined;
  /** The record that this run is compared with, asked for once it is judged. */
  readonly baseline?: (() => Promise<BaselineAtHand>) | undefined;
  /** Findings that are known. */
  readonly known?: KnownAtHand | undefined;
  /** A folder of earlier runs that this one is shown among. */
  readonly history?: string | undefined;
  /** A record whose contracts are taken, in place of reading those of the configuration. */
  readonly contractsOf?: string;
  /** Makes further reports of the judged run, as it was written; never throws. */
  readonly alsoReport?: ((run: RunJson) => Promise<void>) | undefined;
}

/** Saying what was recorded may take this long once a person has asked twice to end. */
const LEAVING_MS = 1_000;

/** A run with a record, in which something stands whatever happens. */
export interface RunUnderWay {
  readonly recordId: string;
  /** All that was read of the contracts that the user named. */
  readonly contractFiles: ContractFiles;
  /** The rule at a place of what a judge has in hand, for messages. */
  readonly ruleAt: (place: number) => string | undefined;
  /** Judges the record, writes what became of the run, and shows it. */
  readonly finish: (end: RunEnd, leaveOut?: readonly InHand[]) => Promise<ExitCode>;
  /** Ends judging now, for a person who asks twice. */
  readonly leave: () => void;
}

/**
 * Reads the contract, begins the record, and writes into it what it is to say if nothing more is.
 *
 * @throws ContractError and RecordExists, by way of TaskFailed, before there is a record
 */
export async function beginRun({
  recordDir,
  kind,
  config: { contracts, allowRefs, maxContractBytes },
  setting: reported,
  times,
  showing,
  flags,
  operations,
  ca,
  contractsOf,
  alsoReport,
  baseline,
  known,
  history,
}: RunBeginning): Promise<RunUnderWay> {
  const clock = createSystemClock();
  const beganMs = performance.now();
  const setting: RunSetting = { ...reported, kind, recordId: randomUUID() };
  const prepared = await startTask(
    'prepare',
    {
      config: { contracts, allowRefs, ...given({ maxContractBytes }) },
      setting,
      ...given({ operations, ca, contractsOf }),
    },
    clock,
    times.judgeEndMs,
  ).ended;
  if (prepared.kind === 'ended') throw notPrepared(prepared.by, { contracts, maxContractBytes });
  const { run: unfinished, contractFiles } = prepared.value;
  const { recordId } = setting;
  createRecord(recordDir, { recordId, run: beginningOf(runWithoutSecrets(unfinished), kind) });
  keepContracts(recordDir, contractFiles);
  writeUnfinishedPage(recordDir, writeJudged(recordDir, unfinished));
  let page: PageUnderWay | undefined;
  let sealing: Pick<Task<unknown>, 'endBy'> | undefined;
  let judging: Task<RunJson> | undefined;
  let isLeft = false;
  // What the record ends with, once it has its end.
  let tail: string | undefined;
  let comparing: BaselineUnderWay | undefined;
  async function report(judged: RunJson): Promise<ExitCode> {
    let run: RunJson;
    try {
      run = await written(judged);
    } catch (error) {
      if (!(error instanceof RecordNotWritten)) throw error;
      // What it came to is known all the same.
      show(runWithoutSecrets(judged), undefined, showing);
      notify(`assay: the record could not be kept: ${error.message}`);
      return EXIT.failed;
    }
    page = makePage(recordDir, recordDir, run, clock, times.judgeEndMs, history);
    if (isLeft) page.leave();
    const made = await page.made;
    show(run, recordDir, showing, made);
    if (flags.annotations !== false) {
      await reportToActions({ run, dir: recordDir, config: flags.config });
    }
    // With the page; what a full disk refuses here takes no verdict from anybody, who has read it above.
    if (made !== undefined) namePage(run, made);
    // Reads the record, which is whole now.
    await alsoReport?.(run);
    return page.isRefused() ? EXIT.failed : exitCodeOf(run);
  }

  async function written(judged: RunJson): Promise<RunJson> {
    // First without a comparison, in case that the process is ended meanwhile.
    const run = writeJudged(recordDir, withKnown(judged, known), appendDigests);
    if (baseline === undefined) return run;
    const base = isJudged(run) ? await baseline() : { why: 'the run was not judged' };
    return writeJudged(recordDir, await compared(run, base), appendDigests);
  }

  /** Before a summary is written, and once its page is, a record has their digests. */
  function appendDigests(run: RunJson): void {
    if (tail !== undefined && isJudged(run)) tail = appendJudged(recordDir, tail, run);
  }

  /** A page that its record does not name would make it one that somebody edited. */
  function namePage(run: RunJson, page: string): void {
    try {
      appendDigests(run);
    } catch (error) {
      removeWithParts(page);
      throw error;
    }
  }

  function compared(run: RunJson, base: BaselineAtHand): Promise<RunJson> {
    if ('why' in base) return Promise.resolve(withoutBaseline(run, base.why));
    const { dir: baseDir, isBeside } = base;
    const input = { baseline: baseDir, dir: recordDir, run, isBeside };
    comparing = withBaseline(input, clock, times.judgeEndMs);
    if (isLeft) comparing.leave();
    return comparing.run;
  }

  /** What was recorded, known before any of it is judged: whatever happens then, it can be judged later. */
  async function seal(end: RunEnd): Promise<SealedRecord | undefined> {
    const input = {
      ...{ dir: recordDir, recordId, end, endedAt: new Date(systemNowMs()) },
      apis: Object.keys(setting.target.urls),
      lengthMs: performance.now() - beganMs,
    };
    try {
      const task = startTask('seal', input, clock, sealEndMs(times, clock.nowMs()));
      sealing = task;
      if (isLeft) task.endBy(clock.nowMs() + LEAVING_MS);
      const ended = await task.ended;
      tail = ended.kind === 'done' ? ended.value?.tail : undefined;
      return ended.kind === 'done' ? ended.value : undefined;
    } catch (error) {
      if (exitOf(error) !== undefined) throw error;
      // Who judges the record says what is wrong with it.
      return undefined;
    }
  }

  function judgeOnce(
    end: RunEnd,
    sealed: SealedRecord | undefined,
    leaveOut: readonly InHand[],
  ): Task<RunJson> {
    const { judgeStopMs: stopAtMs, judgeEndMs } = times;
    const input = { dir: recordDir, contractFiles, setting, end, sealed, leaveOut, stopAtMs };
    judging = startTask('judge', input, clock, judgeEndMs);
    if (isLeft) judging.end('request');
    return judging;
  }

  return {
    recordId,
    contractFiles,
    ruleAt: (place) => unfinished.rules[place - 1]?.id,
    async finish(asItEnded, leaveOut = []) {
      const end = withoutMachineFailure(asItEnded);
      const sealed = await seal(end);
      if (sealed !== undefined) {
        keepUnjudged(recordDir, unjudgedRun(unfinished, end, sealed, 'end-of-process'));
      }
      let by: EndedBy;
      try {
        const ended = await untilJudged((left) => judgeOnce(end, sealed, left), leaveOut);
        if (ended.kind === 'done') return await report(ended.value);
        by = ended.by;
      } catch (error) {
        if (exitOf(error) !== undefined) throw error;
        const why = error instanceof Error ? error.message : String(error);
        const failed = withoutMachineFailure({ ...end, failure: end.failure ?? why });
        return await report(unjudgedRun(unfinished, failed, sealed, 'failure'));
      }
      const left = by === 'request' ? withoutInterruption(end) : end;
      return await report(unjudgedRun(unfinished, left, sealed, by));
    },
    leave: () => {
      isLeft = true;
      sealing?.endBy(clock.nowMs() + LEAVING_MS);
      judging?.end('request');
      comparing?.leave();
      page?.leave();
    },
  };
}
