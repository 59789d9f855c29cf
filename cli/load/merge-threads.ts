import { given } from '../../contracts/wire/json.ts';
import { createSystemClock } from '../../target/budget/clock.ts';
import type { RunTimes } from '../../target/budget/run-times.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { notify } from '../output.ts';
import type { RunSetting } from '../run-setting.ts';
import type { TaskInput, TaskName, TaskOutput } from '../tasks/index.ts';
import { startTask, type Task, type TaskEnd } from '../threads/task.ts';
import { untilJudged } from '../threads/until-judged.ts';
import type { EndedBy } from '../threads/watchdog.ts';
import { WHY_NOT_JUDGED } from '../run/why-not-judged.ts';

/** Thrown when a task of a merge was ended from outside. */
class Ended extends Error {
  readonly by: EndedBy;

  constructor(by: EndedBy) {
    super(by);
    this.by = by;
  }
}

/**
 * Says why nothing was merged, if a task was ended from outside.
 *
 * @throws whatever else was thrown
 */
export function notMerged(error: unknown): ExitCode {
  if (!(error instanceof Ended)) throw error;
  notify(`assay: ${WHY_NOT_JUDGED[error.by]} Nothing was merged.`);
  return error.by === 'silence' || error.by === 'memory' ? EXIT.failed : EXIT.undecided;
}

/** Runs the tasks of a merge one after the other, of which the one under way can be ended. */
export class MergeThreads {
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

  /** Runs one; {@link notMerged} says what is thrown if it was ended from outside. */
  async run<Name extends TaskName>(name: Name, input: TaskInput<Name>): Promise<TaskOutput<Name>> {
    return doneOf(await this.#start(name, input).ended);
  }

  /** What a record says, checked as `assay judge` does. */
  async judgedAgain(
    dir: string,
    waivers: RunSetting['waivers'],
    ownRules: RunSetting['ownRules'],
  ): Promise<TaskOutput<'judge-again'>> {
    const config = { contracts: [], allowRefs: [], ...given({ rules: ownRules }) };
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
