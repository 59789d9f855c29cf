import type { Command } from 'commander';
import { Option } from 'commander';
import type { ExitCode } from '../exit-code.ts';

/** Adds `assay init` to the program. */
export function addInit(program: Command, done: (code: ExitCode) => void): void {
  program
    .command('init')
    .description('write assay.config.yaml and a CI file; asks nothing, overwrites nothing')
    .option('--zap-url <url>', 'base URL of the zap API (else of ASSAY_ZAP_URL, and so on)')
    .option('--trade-url <url>', 'base URL of the trade API')
    .option('--docs-url <url>', 'base URL of the documentation host')
    .option('--ai-url <url>', 'base URL of the AI runtime')
    .addOption(
      new Option('--ci <kind>', 'default: what the folder uses already, else github').choices([
        'github',
        'gitlab',
      ]),
    )
    .action(async (flags: Readonly<Record<string, unknown>>) => {
      const { init } = await import('./run-init.ts');
      done(await init(flags));
    });
}
