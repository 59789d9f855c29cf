import type { Command } from 'commander';
import { againstOption } from './against.ts';
import type { ExitCode } from '../exit-code.ts';
import { historyOption } from '../flags/history-flag.ts';
import { baselineOption, knownOption, pruneOption, severalOption } from '../flags/options.ts';
import { addTargetOptions } from '../flags/target-options.ts';
import { addShowing } from '../show.ts';

/** Adds `assay check` to the program. */
export function addCheck(program: Command, done: (code: ExitCode) => void): void {
  const command = program
    .command('check')
    .description(
      'drive the target, judge, report (default target: the embedded reference service)',
    );
  addTargetOptions(command);
  command
    .addOption(
      severalOption(
        '--rpc <chain id=url>',
        'node that executes what is built for a chain, as ASSAY_RPC_<chain id> does; its URL is a secret',
      ),
    )
    .option('--rpc-of-service', 'asks nodes that the configuration of the service names, too');
  command.option('--allure <dir>', 'results for Allure, into a folder that is empty or not there');
  addShowing(command)
    .addOption(baselineOption())
    .addOption(knownOption())
    .addOption(pruneOption(', or regressions, of the folder of --regressions'))
    .option('--prune-after <runs>', 'of regressions: gone in so many runs in a row (default: 10)')
    .addOption(againstOption())
    .addOption(historyOption())
    .action(async (flags: Record<string, unknown>) => {
      // Loaded when it is needed: other commands start faster without.
      const { check } = await import('./run-check.ts');
      done(await check(flags));
    });
}
