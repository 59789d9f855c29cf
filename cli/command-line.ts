import { Command, CommanderError } from 'commander';
import { addCheck } from './check/check.ts';
import { addCompare } from './report/compare.ts';
import type { ExitCode } from './exit-code.ts';
import { EXIT } from './exit-code.ts';
import { addHistory } from './history/history.ts';
import { addInit } from './check/init.ts';
import { addJudge } from './judge/judge.ts';
import { machineFailureBehind } from './open-files.ts';
import { endedWith, print, notify } from './output.ts';
import { tool } from './package.ts';
import { addLimits } from './limits/limits.ts';
import { addLoad } from './load/load.ts';
import { addReport } from './report/report.ts';
import { addRules } from './check/rules.ts';
import { addSelfTest } from './self-test/self-test.ts';
import { addServe } from './self-test/serve.ts';
import { addVerify } from './report/verify.ts';

/** Says what went wrong; a stack trace is for whoever asks for one by setting DEBUG. */
export async function explained(error: unknown): Promise<ExitCode> {
  const { exitOf, traceOf } = await import('./threads/task-failed.ts');
  const exit = exitOf(error);
  const message = error instanceof Error ? error.message : String(error);
  if (exit !== undefined) {
    notify(`assay: ${message}`);
    return exit;
  }
  const machine = machineFailureBehind(message);
  if (machine !== undefined) {
    notify(`assay: this machine failed, which says nothing of the target: ${machine}.`);
    return EXIT.failed;
  }
  notify(`assay: Assay itself failed, which says nothing of the target: ${message}`);
  notify(traceOf(error) ?? 'DEBUG=assay shows where.');
  return EXIT.failed;
}

/**
 * Runs what the command line asks for, to its end.
 *
 * @param argv as `process.argv` has it
 */
export async function main(argv: readonly string[]): Promise<ExitCode> {
  const code = await run(argv);
  // By then a stream that takes nothing has said so.
  await new Promise(setImmediate);
  return endedWith(code);
}

async function run(argv: readonly string[]): Promise<ExitCode> {
  let code: ExitCode = EXIT.conforms;
  const program = commandLine((ended) => {
    code = ended;
  });
  try {
    await program.parseAsync(argv);
    return code;
  } catch (error) {
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? EXIT.conforms : EXIT.wrongUse;
    return explained(error);
  }
}

/**
 * All commands of the program.
 *
 * @param done is given the exit code of the command that ran
 */
export function commandLine(done: (code: ExitCode) => void): Command {
  const program = new Command('assay')
    .description('Checks whether a swap, bridge and zap service keeps what its interface promises.')
    .version(tool().version)
    .showHelpAfterError('(--help shows what there is)')
    .addHelpText(
      'after',
      `
Exit codes: 0 conforms · 1 does not · 2 wrong use · 3 undecided: too little is known, and the report says
why · 4 Assay itself failed, or a record or certificate is not what it says it is`,
    );
  // Before the commands are added, which take it over.
  program.configureOutput({
    writeOut: print,
    writeErr: (text) => {
      notify(text.replace(/\n$/, ''));
    },
  });
  for (const add of [
    addCheck,
    addLimits,
    addLoad,
    addJudge,
    addReport,
    addCompare,
    addHistory,
    addVerify,
    addInit,
    addServe,
    addSelfTest,
    addRules,
  ])
    add(program, done);
  for (const command of [program, ...program.commands]) command.exitOverride();
  return program;
}
