import { resolve } from 'node:path';
import { API_NAMES } from '../contracts/wire/exchange.ts';
import { createSystemClock } from '../fixtures/target/clock.ts';
import { resolveConfig } from '../fixtures/target/config.ts';
import { processStartedMs, type RunTimes, runTimes } from '../fixtures/target/run-times.ts';
import { placedParts } from '../load/merge/part.ts';
import { EXIT, type ExitCode, UsageError } from './exit-code.ts';
import { onInterruption } from './interruption.ts';
import {
  endOfWhole,
  type PartRun,
  partOf,
  settingOfWhole,
  thresholdsOfWhole,
} from './load-parts.ts';
import { writeLoad } from './load-record.ts';
import { tell } from './output.ts';
import { newRecordFolder } from './record-folder.ts';
import { JUDGE_SECONDS } from './run-judge.ts';
import type { RunSetting } from './run-setting.ts';
import { beginRun, type RunUnderWay } from './run-under-way.ts';
import { showingOf } from './show.ts';
import type { TaskInput, TaskName, TaskOutput } from './tasks/index.ts';
import { startTask, type Task, type TaskEnd } from './threads/task.ts';
import { untilJudged } from './threads/until-judged.ts';
import type { EndedBy } from './threads/watchdog.ts';
import { WHY_NOT_JUDGED } from './why-not-judged.ts';

/** Flags that mean something where nothing is sent. */
const FOR_MERGING: readonly string[] = [
  ...['merge', 'threshold', 'config', 'env', 'label', 'out', 'maxSeconds', 'maxRecordBytes'],
  ...['verbose', 'quiet', 'json', 'annotations'],
];

/** Thrown inside, when a task was ended from outside. */
class Ended extends Error {
  readonly by: EndedBy;

  constructor(by: EndedBy) {
    super(by);
    this.by = by;
  }
}

/**
 * Adds up the records of the parts of a load run, and judges the whole. Nothing is sent.
 *
 * @param flags those that somebody gave, defaults left out
 */
export async function mergeParts(flags: Readonly<Record<string, unknown>>): Promise<ExitCode> {
  refuseOtherFlags(flags);
  const cwd = process.cwd();
  const config = await resolveConfig({
    flags: { maxSeconds: String(JUDGE_SECONDS), ...flags },
    env: {},
    cwd,
    defaultSeed: 0,
  });
  const { waivers, maxRecordBytes, load: written } = config;
  const times = runTimes(processStartedMs(), config.maxSeconds, 0);
  const threads = new Threads(times);
  let run: RunUnderWay | undefined;
  const leave = (): void => {
    threads.leave();
    run?.leave();
  };
  const interruption = onInterruption(leave, leave);
  try {
    const found: PartRun[] = [];
    for (const name of textsOf(flags.merge)) {
      const dir = resolve(cwd, name);
      found.push(partOf(name, dir, await threads.judgedAgain(dir, waivers)));
    }
    // Before there is a record.
    const parts = placedParts(found);
    const setting = settingOfWhole(parts, config);
    const contractsOf = parts[0]?.dir ?? '';
    const thresholds = thresholdsOfWhole(parts, textsOf(flags.threshold), written);
    const load = await threads.run('merge-loads', {
      ...{ contractsOf, thresholds, setting },
      parts: parts.map(({ name, startedAtMs, seed, contract, target, load: own }) => ({
        ...{ name, startedAtMs, seed, contract, target },
        load: own,
      })),
      apis: API_NAMES.filter((api) => setting.target.urls[api] !== undefined),
    });
    const recordDir = config.out ?? newRecordFolder(cwd, new Date());
    const showing = showingOf(flags);
    run = await beginRun({ recordDir, config, setting, times, showing, flags, contractsOf });
    writeLoad(recordDir, {});
    const { recordId } = run;
    const kept = await threads.run('merge-exchanges', {
      ...{ recordDir, recordId, maxRecordBytes, load },
      parts: parts.map(({ index, dir, run: { record } }) => ({
        ...{ index, dir, recordId: record.id },
        head: record.head ?? '',
      })),
    });
    const end = endOfWhole(parts);
    return await run.finish({
      ...end,
      cutShort: end.cutShort || kept.cutShort,
      notices: [...end.notices, ...kept.notices],
    });
  } catch (error) {
    if (!(error instanceof Ended)) throw error;
    tell(`assay: ${WHY_NOT_JUDGED[error.by]} Nothing was merged.`);
    return error.by === 'silence' || error.by === 'memory' ? EXIT.failed : EXIT.undecided;
  } finally {
    interruption.end();
  }
}

/** Runs tasks one after the other, of which the one under way can be ended. */
class Threads {
  readonly #times: RunTimes;
  readonly #clock = createSystemClock();
  #task: Pick<Task<unknown>, 'end'> | undefined;
  #isLeft = false;

  constructor(times: RunTimes) {
    this.#times = times;
  }

  leave(): void {
    this.#isLeft = true;
    this.#task?.end('request');
  }

  async run<Name extends TaskName>(name: Name, input: TaskInput<Name>): Promise<TaskOutput<Name>> {
    return doneOf(await this.#start(name, input).ended);
  }

  /** What a record says, checked as `assay judge` does. */
  async judgedAgain(
    dir: string,
    waivers: RunSetting['waivers'],
  ): Promise<TaskOutput<'judge-again'>> {
    const config = { contracts: [], allowRefs: [] };
    const stopAtMs = this.#times.judgeStopMs;
    return doneOf(
      await untilJudged((leaveOut) =>
        this.#start('judge-again', { dir, config, waivers, leaveOut, stopAtMs }),
      ),
    );
  }

  #start<Name extends TaskName>(name: Name, input: TaskInput<Name>): Task<TaskOutput<Name>> {
    const task = startTask(name, input, this.#clock, this.#times.judgeEndMs);
    this.#task = task;
    if (this.#isLeft) task.end('request');
    return task;
  }
}

function doneOf<T>(end: TaskEnd<T>): T {
  if (end.kind === 'ended') throw new Ended(end.by);
  return end.value;
}

function refuseOtherFlags(flags: Readonly<Record<string, unknown>>): void {
  const other = Object.keys(flags).find((name) => !FOR_MERGING.includes(name));
  if (other === undefined) return;
  const flag = other.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new UsageError(
    `--merge adds up records and sends nothing, so --${flag} has no meaning beside it: leave it out`,
  );
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? (value as readonly string[]) : [];
}
