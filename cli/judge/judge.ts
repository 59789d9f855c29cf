import { resolve } from 'node:path';
import type { Command } from 'commander';
import { allowRefOption, contractOption, maxContractBytesOption } from '../flags/options.ts';
import type { ExitCode } from '../exit-code.ts';
import { addShowing } from '../show.ts';

/** Adds `assay judge` to the program. */
export function addJudge(program: Command, done: (code: ExitCode) => void): void {
  addShowing(program.command('judge'))
    .description('judge a recorded run again, offline')
    .argument('<dir>', 'folder of the run record')
    .option('--out <dir>', 'write run.json, findings.ndjson, junit.xml and report.html there')
    .option('--config <file>', 'configuration file, for its waivers')
    .option('--max-seconds <seconds>', 'for judging (default: 600)')
    .addOption(contractOption())
    .addOption(allowRefOption())
    .addOption(maxContractBytesOption())
    .option('--ai-contract <file|url>', 'OpenAPI document of the AI runtime')
    .action(async (dir: string, flags: Readonly<Record<string, unknown>>) => {
      const { judgeAgain } = await import('./run-judge.ts');
      done(await judgeAgain(resolve(dir), flags));
    });
}
