import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withoutSecrets } from '../safe-text.ts';
import { notify } from '../output.ts';
import type { ExitCode } from '../exit-code.ts';
import type { HistoryReported } from '../tasks/history/prune-history.ts';
import type { Watch } from './release-runs.ts';

/** The runs that lie beside some records. */
export type BesideRecords = Pick<HistoryReported, 'rows' | 'unended' | 'unread'>;

/**
 * The runs beside records: in the same folders, and one folder deeper in folders that are no records. A note of
 * what was left out is reported, as it may be a run of the build.
 *
 * @param dirs folders of the records
 * @returns an exit code if a folder was not read to its end
 */
export async function besideRecords(
  dirs: readonly string[],
  beside: Watch['beside'],
): Promise<BesideRecords | ExitCode> {
  const all: HistoryReported[] = [];
  const read = new Set<string>();
  /** What stands before the names of its folders. */
  const look = async (dir: string, before: string): Promise<HistoryReported | ExitCode> => {
    read.add(dir);
    const found = await beside(dir);
    if (typeof found === 'number') return found;
    for (const note of found.notes) notify(`assay: beside the records, in ${dir}: ${note}`);
    all.push({
      ...found,
      rows: found.rows.map((row) => ({ ...row, run: `${before}${row.run}` })),
      unended: found.unended.map((row) => ({ ...row, run: `${before}${row.run}` })),
      unread: found.unread.map((one) => `${before}${one}`),
    });
    return found;
  };
  const parents = new Set(dirs.map((dir) => dirname(realpathSync(dir))));
  const deeper = new Map<string, string>();
  for (const parent of parents) {
    const found = await look(parent, '');
    if (typeof found === 'number') return found;
    for (const name of found.deeper) deeper.set(join(parent, name), `${withoutSecrets(name)}/`);
  }
  for (const [dir, before] of deeper) {
    if (read.has(dir)) continue;
    const found = await look(dir, before);
    if (typeof found === 'number') return found;
  }
  return {
    rows: all.flatMap(({ rows }) => rows),
    unended: all.flatMap(({ unended }) => unended),
    unread: all.flatMap(({ unread }) => unread),
  };
}
