import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import type { Reporter, TestModule, TestSuite, Vitest } from 'vitest/node';
import type { Clock } from '../../fixtures/target/budget/clock.ts';
import { collectGarbage } from '../../fixtures/target/body/large-bodies.ts';
import type { DriveReport } from '../../suites/drive/index.ts';
import type { SuiteInput } from '../../suites/drive-target.ts';
import { ROOT } from '../package.ts';
import type { Watchdog } from '../threads/watchdog.ts';
import { taskHeapMb } from '../threads/task-heap.ts';
import { type StepWire, watchedPool } from '../threads/watched-pool.ts';

/** What the suites tell beyond the record they leave. */
export interface SuitesEnd {
  readonly report: DriveReport | undefined;
  /** Errors of the suites themselves, which no service causes; none where the thread was ended. */
  readonly errors: readonly string[];
  /** The thread, if it was ended from outside. */
  readonly ended: Watchdog | undefined;
}

/** Suites under way. */
export interface RunningSuites {
  readonly ended: Promise<SuitesEnd>;
  /** Asks them to send nothing more. */
  readonly interrupt: () => void;
  /** Ends their thread whatever it does. */
  readonly end: () => void;
  /** Moves the end of their time forward. */
  readonly endBy: (deadlineMs: number) => void;
}

/** The test runner may take this long to close, once its thread is gone. */
const CLOSING_MS = 500;

/**
 * Runs the suites against a target, in one worker thread so that one governor holds the budget. The
 * record is written as they go; verdicts are taken from the record, not from the tests.
 *
 * @param deadlineMs when their thread is ended, on the clock
 * @param reporters that listen to the test runner as well
 * @param wire to the drive of another target, to keep in step with
 */
export function runSuites(
  input: SuiteInput,
  clock: Clock,
  deadlineMs: number,
  reporters: readonly Reporter[] = [],
  wire?: StepWire,
): RunningSuites {
  const watched = watchedPool(taskHeapMb(input), clock, deadlineMs, wire);
  return {
    ended: run(input, watched, reporters),
    interrupt: watched.interrupt,
    end: () => watched.dog()?.end('request'),
    endBy: (earlierMs) => watched.dog()?.endBy(earlierMs),
  };
}

async function run(
  input: SuiteInput,
  { pool, dog }: ReturnType<typeof watchedPool>,
  reporters: readonly Reporter[],
): Promise<SuitesEnd> {
  // The young generation of a worker otherwise takes 48 MB before anything in it is collected.
  setFlagsFromString('--max-semi-space-size=4');
  let report: DriveReport | undefined;
  const errors: string[] = [];
  const takeNote = (suite: TestModule | TestSuite): void => {
    errors.push(...suite.errors().map(({ message }) => message));
  };
  // Loaded when it is needed: it takes a quarter of the memory of a run.
  const { createVitest } = await import('vitest/node');
  const vitest = await keepingSignals(() =>
    createVitest(
      'test',
      {
        root: join(ROOT, 'dist'),
        config: false,
        // Of a service of one's own there are no sections.
        include: [
          `suites/service/suites/${input.config.service === undefined ? '*' : '{contract,own-rules}'}.suite.js`,
        ],
        exclude: [],
        provide: { assay: input },
        fileParallelism: false,
        maxWorkers: 1,
        isolate: false,
        pool,
        watch: false,
        // What is built already is loaded as it is: transforming it again took seconds, and memory.
        server: { deps: { external: [/\/dist\/(?!suites\/[^/]*\.suite\.js)/] } },
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
          ...reporters,
        ],
      },
      {},
      // It would move the cursor of a terminal, and print what is of no interest to whoever checks a
      // service.
      { stdout: nowhere(), stderr: nowhere() },
    ),
  );
  // What starting up left behind would otherwise stay, beside what the run takes.
  collectGarbage();
  try {
    await vitest.start();
    errors.push(...vitest.state.getUnhandledErrors().map(String));
  } catch (error) {
    errors.push(String(error));
  }
  await closed(vitest);
  const ended = dog()?.endedBy === undefined ? undefined : dog();
  return { report, errors: ended === undefined ? errors : [], ended };
}

function nowhere(): NodeJS.WriteStream {
  const stream = new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });
  return stream as unknown as NodeJS.WriteStream;
}

/** The runner waits for a minute for a thread that is gone. */
async function closed(vitest: Vitest): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise((resolve) => {
    timer = setTimeout(resolve, CLOSING_MS);
  });
  await Promise.race([vitest.close().catch(() => undefined), patience]);
  clearTimeout(timer);
}

/** The runner ends the process at a signal; what was recorded is to be judged first. */
async function keepingSignals<T>(create: () => Promise<T>): Promise<T> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const before = signals.map((signal) => new Set(process.listeners(signal)));
  const created = await create();
  for (const [index, signal] of signals.entries()) {
    for (const listener of process.listeners(signal)) {
      if (before[index]?.has(listener) !== true) process.off(signal, listener);
    }
  }
  return created;
}
