#!/usr/bin/env node
import { Command, CommanderError } from 'commander';
import { addCheck } from './check.ts';
import type { ExitCode } from './exit-code.ts';
import { EXIT, UsageError } from './exit-code.ts';
import { addJudge } from './judge.ts';
import { tool } from './package.ts';
import { addLimits } from './limits.ts';
import { addRules } from './rules.ts';
import { addSelfTest } from './self-test.ts';
import { addServe } from './serve.ts';

/** Whether a person can mend it: told in a sentence, without a stack trace. */
async function isWrongUse(error: unknown): Promise<boolean> {
  if (error instanceof UsageError) return true;
  const { MENDABLE } = await import('./mendable.ts');
  return MENDABLE.some((kind) => error instanceof kind);
}

async function main(argv: readonly string[]): Promise<ExitCode> {
  let code: ExitCode = EXIT.conforms;
  const done = (ended: ExitCode): void => {
    code = ended;
  };
  const program = new Command('assay')
    .description('Tells whether a swap, bridge and zap service keeps what its interface promises.')
    .version(tool().version)
    .showHelpAfterError('(--help shows what there is)')
    .addHelpText(
      'after',
      '\nExit codes: 0 conforms · 1 does not · 2 wrong use · 3 the target could not be reached, or the budget ended before a verdict',
    );
  for (const add of [addCheck, addLimits, addJudge, addServe, addSelfTest, addRules])
    add(program, done);
  for (const command of [program, ...program.commands]) command.exitOverride();
  try {
    await program.parseAsync(argv);
    return code;
  } catch (error) {
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? EXIT.conforms : EXIT.wrongUse;
    if (!(await isWrongUse(error))) throw error;
    process.stderr.write(`assay: ${(error as Error).message}\n`);
    return EXIT.wrongUse;
  }
}

process.exitCode = await main(process.argv);
