import type { RunnerTask } from 'vitest';
import type { Reporter, TestModule } from 'vitest/node';
import type { TestResult } from 'allure-js-commons';
import { FileSystemWriter } from 'allure-js-commons/sdk/reporter';
import AllureVitestReporter from 'allure-vitest/reporter';
import type { RunJson } from '../../contracts/run/run.ts';
import type { AllureCase } from '../../reports/allure/allure-cases.ts';
import { ruleCases } from '../../reports/allure/allure-cases.ts';
import { allureSources, openAllure } from '../../reports/allure/allure.ts';
import { wholeCase } from '../../reports/allure/allure-run-cases.ts';
import type { ReportSource } from '../../reports/source.ts';
import { withoutSecrets } from '../harmless.ts';

/** Results of the suites' own run, for Allure. */
export interface SuitesAllure {
  /** Listens to the test runner. */
  readonly reporter: Reporter;
  /**
   * Writes what it heard, once the verdicts are known: a test of a suite ends before its rule is judged
   * from the record, and knows of no waiver.
   *
   * @throws Error of the system when the folder cannot be written
   */
  readonly write: (source: Pick<ReportSource, 'run' | 'exchanges'>) => void;
}

/**
 * Reports the suites' run by the reporter of allure-vitest, with status, details and labels of the
 * verdicts. A rule whose test did not end, as where the suites were ended from outside, is written from the
 * verdicts alone: each rule is there once.
 *
 * @param dir absolute path of a folder that is empty or not there
 */
export function allureOfSuites(dir: string): SuitesAllure {
  const results = openAllure({ writer: new FileSystemWriter({ resultsDir: dir }), withoutSecrets });
  let current: AllureCase | undefined;
  const inner = new AllureVitestReporter({
    resultsDir: dir,
    reportMatchers: false,
    listeners: [
      {
        beforeTestResultWrite: (result: TestResult) => {
          if (current !== undefined) results.correct(result, current);
        },
      },
    ],
  });
  const tests = new Map<string, RunnerTask>();
  return {
    reporter: {
      onInit: (vitest) => {
        inner.onInit(vitest);
      },
      // The moment at which the reporter itself would write.
      onTestRunEnd: (modules) => {
        for (const one of modules) collect(taskOf(one), tests);
      },
    },
    write: (given) => {
      const sources = allureSources([given]);
      for (const source of sources) {
        const { startedAt, endedAt }: RunJson = source.run;
        const startMs = Date.parse(startedAt);
        for (const one of ruleCases(source)) {
          const test = tests.get(one.id);
          current = one;
          if (test === undefined) results.write(one, startMs, startMs);
          else inner.handleTask(test);
        }
        current = undefined;
        results.write(wholeCase(source), startMs, Date.parse(endedAt));
      }
      results.end(sources);
    },
  };
}

/** As the reporter of allure-vitest takes it: what the runner itself holds of a file. */
function taskOf(module: TestModule): RunnerTask {
  return (module as unknown as { readonly task: RunnerTask }).task;
}

/** Tests that ended, by their names, which are ids of rules. */
function collect(task: RunnerTask, tests: Map<string, RunnerTask>): void {
  if (task.type === 'suite') for (const inner of task.tasks) collect(inner, tests);
  else if (task.result !== undefined && !tests.has(task.name)) tests.set(task.name, task);
}
