import type { Command } from 'commander';
import { UsageError, type ExitCode } from './exit-code.ts';

/** Adds `assay self-test` to the program. */
export function addSelfTest(program: Command, done: (code: ExitCode) => void): void {
  program
    .command('self-test')
    .description('every fault against every rule, and every correct variant against all of them')
    .option('--seeds <list>', 'comma-separated seeds', '1')
    .option('--only <text>', 'only faults and variants whose id or rule contains the text')
    .option('--json <file>', 'write the result as JSON')
    .action(async (flags: { seeds: string; only?: string; json?: string }) => {
      const { runSelfTest } = await import('./run-self-test.ts');
      done(await runSelfTest({ ...flags, seeds: flags.seeds.split(',').map(seedOf) }));
    });
}

/** @throws UsageError when the text is no whole number */
function seedOf(text: string): number {
  if (!/^\d{1,9}$/.test(text.trim())) throw new UsageError(`--seeds: "${text}" is no whole number`);
  return Number(text);
}
