/** A check as a suite of Vitest: the command line drives and judges, and each rule is a test. */

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { printable, printableLines } from '../../contracts/run/printable.ts';
import type { RunJson, RunRuleRow } from '../../contracts/run/run.ts';
import { detailsOf } from '../../reports/junit/junit-text.ts';
import { EXIT } from '../exit-code.ts';
import { ROOT } from '../package.ts';

/** What a suite checks. */
export interface SuiteOptions {
  /**
   * Flags of `assay check`: `['--embedded', '--seed', '1']`, `['--zap-url', url, '--only', '§2.2']`. Without any the
   * target is that of `assay.config.*` in the current folder, or else the embedded reference service.
   */
  readonly flags?: readonly string[];
  /** The command line; that of this package when absent. */
  readonly program?: string;
}

/** What of the context of a test is used; of Vitest 3.2 and later. */
interface Context {
  readonly skip: (note?: string) => never;
  readonly annotate: (message: string, type?: string) => Promise<unknown>;
}

/** The name of the test of the run as a whole. */
const WHOLE = 'assay.run';
/** Of `run.json`. */
const MAX_BYTES = 268_435_456;

/**
 * Drives the target once, while the file of the suite is read, and declares a test for each rule, named by its id. A
 * rule without a verdict is skipped with the reason; a warning is an annotation. The last test, `assay.run`, fails if
 * the run is undecided: too little is known then, whatever the tests of rules say. Await it at the top level.
 *
 * @throws Error with what the command line said when it left no result, as for wrong flags
 */
export async function conformanceSuite(options: SuiteOptions = {}): Promise<void> {
  const run = await checked(options);
  // Here, so that the matchers serve test runners if Vitest is not installed.
  const { describe, test } = await import('vitest');
  for (const api of new Set(run.rules.map((rule) => rule.api))) {
    describe(api, () => {
      for (const rule of run.rules.filter((one) => one.api === api))
        test(rule.id, (context) => reportRule(rule, run, context));
    });
  }
  test(WHOLE, () => {
    const { outcome, complete, failure, notices } = run;
    const isDecided = complete && failure === undefined && outcome !== 'undecided';
    if (!isDecided)
      throw failureOf([`the run is ${outcome}`, failure ?? '', ...notices].join('\n'));
  });
}

async function reportRule(rule: RunRuleRow, run: RunJson, context: Context): Promise<void> {
  const { id, verdict, reason, findings } = rule;
  const details = (): string => `${id} is broken\n\n${detailsOf(rule, run)}`;
  switch (verdict) {
    case 'fail':
      throw failureOf(details());
    case 'warn':
      if (run.choice?.failOn === 'should') throw failureOf(details());
      await context.annotate(printableLines(details()), 'warning');
      return;
    case 'not-reached':
    case 'inconclusive':
    case 'waived':
      context.skip(printable(`${verdict}: ${reason ?? ''}`));
      return;
    default:
      if (findings.length > 0) await context.annotate(printableLines(details()), 'notice');
  }
}

/** An error without a stack, which would lead into this file. */
function failureOf(message: string): Error {
  const error = new Error(printableLines(message));
  error.stack = '';
  return error;
}

function checked({
  flags = [],
  program = join(ROOT, 'dist', 'cli', 'main.js'),
}: SuiteOptions): Promise<RunJson> {
  return new Promise((resolve, reject) => {
    const args = [program, 'check', ...flags, '--json'];
    const child = execFile(
      process.execPath,
      args,
      { maxBuffer: MAX_BYTES },
      (_, stdout, stderr) => {
        process.removeListener('exit', end);
        const { exitCode } = child;
        if (exitCode === EXIT.wrongUse || stdout === '') {
          reject(new Error(printableLines(stderr.trim() || `assay check ended with ${exitCode}`)));
        } else resolve(JSON.parse(stdout) as RunJson);
      },
    );
    const end = (): void => {
      child.kill();
    };
    // A watcher or Ctrl-C ends the tests: what they wait for is to end as well.
    process.once('exit', end);
  });
}
