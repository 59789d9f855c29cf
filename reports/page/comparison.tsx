/** What became of a run since its baseline. */

import type { VNode } from 'preact';
import type { PageRun } from '../html/html-data.ts';
import { Part } from './basics.tsx';
import { Remarks } from './tables.tsx';

/** New, fixed and still failing, and in what answers differ from those of an earlier run. */
export function Comparison({
  run: { comparison },
  place,
}: {
  readonly run: PageRun;
  readonly place: string;
}): VNode | null {
  if (comparison === undefined) return null;
  return (
    <Part id={`${place}-since`} title="Since the baseline" note={comparison.headline}>
      {comparison.parts.map(({ title, rows, more }) => (
        <div key={title}>
          <h3>{title}</h3>
          <Remarks of={rows} />
          {more === 0 ? null : <p class="note">and {more} more, in run.json</p>}
        </div>
      ))}
    </Part>
  );
}
