import type { Command } from 'commander';
import type { ExitCode } from '../exit-code.ts';

const HELP = `
The index, history.ndjson in that folder, has a line for each run and keeps the newest 500; runs whose records
are gone stay in it, and on the pages of later runs. With --keep the oldest records are removed from disk, each
only if the index has its run and its folder holds nothing that Assay did not write there. A trend of load
reads records, not the index: keep as many as it is to see.

A load run with --history fails as long as it stands slower than the nights before. --accept NOTE writes a line to
accepted.ndjson in that folder, with the time and the note, from which on the new level is the usual one, and reports of
later nights say so. A time after the begin of a run accepts nothing of it. No record changes.

Exit codes: 0 listed, or accepted · 2 wrong use · 4 the index or a record could not be written or removed`;

/** Adds `assay history` to the program. */
export function addHistory(program: Command, done: (code: ExitCode) => void): void {
  program
    .command('history')
    .description('list the runs of a folder of records, and remove the oldest records')
    .argument('[dir]', 'folder that holds a record in each of its folders', 'reports/out')
    .option(
      '--keep <count|days>',
      'removes all records but so many, the newest, e.g. 60; or those of as many days, e.g. 90d',
    )
    .option(
      '--keep-red',
      'of those that --keep removes, leaves the ones that do not conform',
      false,
    )
    .option(
      '--pack',
      'packs records that stay by gzip, all but run.json: they are read packed as well',
      false,
    )
    .option('--dry-run', 'says what --keep would remove, and writes nothing', false)
    .option(
      '--accept <note>',
      'accepts that load became slower until now: nights after this one do not fail for it',
    )
    .option('--json', 'prints the list alone, as JSON', false)
    .addHelpText('after', HELP)
    .action(async (dir: string, flags: Readonly<Record<string, unknown>>) => {
      const { history } = await import('./run-history.ts');
      done(await history(dir, flags));
    });
}
