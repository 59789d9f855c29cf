import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import type { ExitCode } from '../exit-code.ts';

const HELP = `
Compared are findings, by what they are about; answers to requests that both runs sent: statuses, codes,
fields, header fields; what was seen if the document is silent on it; latencies. Differences that a service's
data, or other inputs of another seed, may explain are counted and decide nothing; --verbose lists them.
What was added is no difference, unless --fail-on added asks.

Exit codes: 0 nothing differs that a client would notice · 1 something does · 2 wrong use · 3 the runs were
not asked the same, and nothing differs for certain · 4 a record is not what it says it is`;

/** Adds `assay compare` to the program. */
export function addCompare(program: Command, done: (code: ExitCode) => void): void {
  program
    .command('compare')
    .description('two run records against each other: two versions, or two deployments')
    .argument('<before>', 'folder of the run record that the other is held against')
    .argument('<after>', 'folder of the other run record')
    .addOption(new Option('--verbose', 'prints every difference'))
    .addOption(new Option('--quiet', 'prints one sentence').conflicts('verbose'))
    .addOption(
      new Option('--json', 'prints the comparison alone, as in run.json').conflicts([
        'verbose',
        'quiet',
      ]),
    )
    .addOption(
      new Option(
        '--fail-on <what>',
        'added: operations and fields that were added count as a difference, too',
      ).choices(['added']),
    )
    .option('--max-seconds <seconds>', 'for all of it (default: 600)')
    .addHelpText('after', HELP)
    .action(async (before: string, after: string, flags: Readonly<Record<string, unknown>>) => {
      const { compare } = await import('./run-compare.ts');
      done(await compare(resolve(before), resolve(after), flags));
    });
}
