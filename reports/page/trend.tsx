import type { VNode } from 'preact';
import type { LoadTrend } from '../../contracts/run/load/load-trend.ts';
import type { PageRun } from '../html/html-data.ts';
import { Part, Wide } from './basics.tsx';
import { Cells, Head } from './figures.tsx';
import { Plot } from './limits.tsx';
import { Remarks } from './tables.tsx';

/** The run among earlier ones, and compared with a baseline. */
export function Trend({
  run,
  place,
}: {
  readonly run: PageRun;
  readonly place: string;
}): VNode | null {
  const trend = run.run.load?.trend;
  if (trend === undefined && run.baseline.length === 0) return null;
  return (
    <Part id={`${place}-trend`} title="Earlier nights">
      <Remarks of={run.trend} />
      <Plot of="trend" run={run} />
      {trend === undefined || trend.series.length === 0 ? null : (
        <Wide label="Series of the trend">
          <Series trend={trend} />
        </Wide>
      )}
      <Remarks of={run.baseline} />
    </Part>
  );
}

function Series({ trend }: { readonly trend: LoadTrend }): VNode {
  const percent = (value: number | undefined): string =>
    value === undefined ? '–' : `${value.toFixed(1)} %`;
  const figure = (value: number | null | undefined): string =>
    value === undefined || value === null ? '–' : value.toFixed(2);
  return (
    <table class="figures">
      <Head
        names={['Series', 'this run ms', 'by control', 'spread', 'would see', 'nights', 'verdict']}
      />
      <tbody>
        {trend.series.map((one, at) => (
          <Cells
            key={at}
            name={`${one.operation === undefined ? '' : `${one.operation} `}${one.percentile}`}
            cells={[
              figure(one.valuesMs.at(-1)),
              one.figure === 'ratio' ? figure(one.ratios?.at(-1)) : '–',
              percent(one.spreadPercent),
              one.nightsWatched < trend.firstLook ? '–' : percent(one.smallestPercent),
              String(one.nightsWatched),
              one.verdict,
            ]}
          />
        ))}
      </tbody>
    </table>
  );
}
