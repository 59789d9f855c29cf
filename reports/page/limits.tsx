import type { VNode } from 'preact';
import type { PagePlot, PageRun } from '../html/html-data.ts';
import { Fields, Part, Wide } from './basics.tsx';
import { percentEncoded } from '../../contracts/wire/http/percent-encoded.ts';

/** Rate limits as they were measured. */
export function Limits({
  run,
  place,
}: {
  readonly run: PageRun;
  readonly place: string;
}): VNode | null {
  if (run.limits.length === 0) return null;
  return (
    <Part id={`${place}-limits`} title="Rate limits">
      {run.limits.map(({ title, verdict, fields }, at) => (
        <article key={at} class="limit">
          <h3>
            {title}:{' '}
            <span class={verdict === 'identified' ? 'v-pass' : 'v-inconclusive'}>{verdict}</span>
          </h3>
          <Fields rows={fields} />
        </article>
      ))}
      <Plot of="limits" run={run} />
    </Part>
  );
}

/** A plot, if there is one: an image, in which nothing can be run or fetched. */
export function Plot({
  of: kind,
  run,
}: {
  readonly of: PagePlot['of'];
  readonly run: PageRun;
}): VNode | null {
  const plot = run.plots.find((one) => one.of === kind);
  if (plot === undefined) return null;
  return (
    <Wide label={`Plot of ${kind}`}>
      <img class="plot" alt={plot.alt} src={`data:image/svg+xml,${percentEncoded(plot.svg)}`} />
    </Wide>
  );
}
