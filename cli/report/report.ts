import type { Command } from 'commander';
import { baselineOption, knownOption, pruneOption } from '../flags/options.ts';
import type { ExitCode } from '../exit-code.ts';
import { historyOption } from '../flags/history-flag.ts';
import { addReleaseOptions, isRelease } from './release.ts';
import { FORMATS } from './report-formats.ts';

const HELP = `
A FILE of - is standard output. The chain and the digests of each record are checked, its verdicts are
those of its run; assay judge judges again. A run that was killed is judged from what it left.

Exit codes: 0 the reports were written, whatever they say · 2 wrong use · 4 a record is not what it says
it is. With --release: 0 the release conforms · 1 it does not · 3 it is incomplete`;

/** Adds `assay report` to the program. */
export function addReport(program: Command, done: (code: ExitCode) => void): void {
  const command = program
    .command('report')
    .description('build reports from run records')
    .argument('<runs...>', 'folders of run records');
  for (const { flag, takes, description } of FORMATS) {
    command.option(takes === 'file' ? `--${flag} <file>` : `--${flag}`, description);
  }
  command
    .option('--allure <dir>', 'results for Allure, into a folder that is empty or not there')
    .option(
      '--allure-page <file>',
      'the page that Allure 3 makes of them, without its analytics; takes npm install --save-dev allure@3',
    );
  command
    .option(
      '--write-known <file>',
      'what the run found, as a file to commit for --known; what was known before keeps its day',
    )
    .addOption(knownOption())
    .addOption(pruneOption())
    .option(
      '--environment <name>',
      'in SARIF: where the runs took place, if they have no label environment',
    );
  addReleaseOptions(command.addOption(baselineOption()).addOption(historyOption(false)))
    .option('--config <file>', 'configuration file, for waivers of a run that was killed')
    .option('--max-seconds <seconds>', 'for all of it (default: 600)')
    .addHelpText('after', HELP)
    .action(async (runs: readonly string[], flags: Readonly<Record<string, unknown>>) => {
      if (isRelease(flags)) {
        const { makeRelease } = await import('./run-release.ts');
        done(await makeRelease(runs, flags));
        return;
      }
      const { report } = await import('./run-report.ts');
      done(await report(runs, flags));
    });
}
