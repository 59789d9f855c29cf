import { existsSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Where the record of a run goes when nobody says: `reports/out/` and a name that sorts by time, e.g.
 * `2026-01-02T03-04-05Z`; of runs that begin in the same second each has its own.
 */
export function newRecordFolder(cwd: string, startedAt: Date): string {
  const stamp = startedAt.toISOString().replace(/\.\d+/, '').replaceAll(':', '-');
  const first = join(cwd, 'reports', 'out', stamp);
  let folder = first;
  for (let number = 2; existsSync(folder); number += 1) folder = `${first}-${number}`;
  return folder;
}
