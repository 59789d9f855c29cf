import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { TestModule, TestSuite } from 'vitest/node';
import { createVitest } from 'vitest/node';
import { collectGarbage } from '../fixtures/target/large-bodies.ts';
import type { DriveReport } from '../suites/drive/index.ts';
import type { SuiteInput } from '../suites/harness.ts';
import { ROOT } from './package.ts';

/** What the suites tell beyond the record they leave. */
export interface SuitesEnd {
  readonly report: DriveReport | undefined;
  /** Errors of the suites themselves, which no service causes. */
  readonly errors: readonly string[];
}

/**
 * Runs the suites against a target, in one worker thread so that one governor holds the budget. The
 * record is written as they go; verdicts are taken from the record, not from the tests.
 */
export async function runSuites(input: SuiteInput): Promise<SuitesEnd> {
  // The young generation of a worker otherwise takes 48 MB before anything in it is collected.
  setFlagsFromString('--max-semi-space-size=4');
  let report: DriveReport | undefined;
  const errors: string[] = [];
  const takeNote = (suite: TestModule | TestSuite): void => {
    errors.push(...suite.errors().map(({ message }) => message));
  };
  const vitest = await keepingSignals(() =>
    createVitest('test', {
      root: join(ROOT, 'dist'),
      config: false,
      include: ['suites/*.suite.js'],
      exclude: [],
      provide: { assay: input },
      fileParallelism: false,
      maxWorkers: 1,
      isolate: false,
      pool: 'threads',
      watch: false,
      reporters: [
        {
          onTestModuleEnd(module) {
            takeNote(module);
            for (const suite of module.children.suites()) {
              takeNote(suite);
              report ??= suite.meta().driveReport;
            }
          },
        },
      ],
    }),
  );
  // What starting up left behind would otherwise stay, beside what the run takes.
  collectGarbage();
  await vitest.start();
  errors.push(...vitest.state.getUnhandledErrors().map(String));
  await vitest.close();
  return { report, errors };
}

/** The runner ends the process at a signal; what was recorded is to be judged first. */
async function keepingSignals<T>(create: () => Promise<T>): Promise<T> {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const before = signals.map((signal) => process.listeners(signal));
  const created = await create();
  for (const [index, signal] of signals.entries()) {
    for (const listener of process.listeners(signal)) {
      if (before[index]?.includes(listener) !== true) process.off(signal, listener);
    }
  }
  return created;
}
