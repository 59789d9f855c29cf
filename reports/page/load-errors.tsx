import type { VNode } from 'preact';
import type { RunLoad } from '../../contracts/run/load/load-run.ts';
import type { Remark } from '../html/html-data.ts';
import { errorRowWords } from '../terminal/load-words.ts';
import { Remarks } from './tables.tsx';

/** What errors of a load were, the most frequent first, and how many more `run.json` has. */
export function LoadErrors({
  load,
  most,
}: {
  readonly load: RunLoad;
  readonly most: number;
}): VNode {
  const rows = errorRowWords(load);
  const left = rows.length - most;
  const remarks: Remark[] = [
    ...rows
      .slice(0, most)
      .map(({ what, share, when }): Remark => ['✗', `${what}: ${share}, ${when}`]),
    ...(left > 0 ? [['·', `${left} more in run.json`] as const] : []),
  ];
  return <Remarks of={remarks} />;
}
