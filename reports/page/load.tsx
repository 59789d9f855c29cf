/** A load run: thresholds, latencies by step and operation, wrong answers, earlier nights. */

import type { VNode } from 'preact';
import { errorsOf } from '../../contracts/run/load/fates.ts';
import { whyLoadOpen } from '../../contracts/run/load/load-outcome.ts';
import type { LoadRow, RunLoad } from '../../contracts/run/load/load-run.ts';
import { latencyOf } from '../../contracts/run/load/selected-row.ts';
import { LATENCY_NAMES } from '../../contracts/run/load/threshold.ts';
import type { LoadTrend } from '../../contracts/run/load/load-trend.ts';
import type { PageRun } from '../html/html-data.ts';
import { latencyCell } from '../terminal/load-figures.ts';
import { Fields, Part, Wide } from './basics.tsx';
import { grouped } from './exchange.tsx';
import { Remarks } from './tables.tsx';
import { Plot } from './limits.tsx';
import { ms } from './latencies.tsx';

interface LoadProps {
  readonly run: PageRun;
  readonly place: string;
}

/** All that a load run measured. */
export function Load({ run, place }: LoadProps): VNode | null {
  const { load } = run.run;
  if (load === undefined || run.load === undefined) return null;
  const { judged } = load;
  return (
    <Part id={`${place}-load`} title={`Load: ${load.scenario}`}>
      <Remarks of={whyOpen(load).map((why) => ['?', why] as const)} />
      <Remarks of={run.load.thresholds} />
      <Plot of="load" run={run} />
      <Wide label="Load by step">
        <Steps load={load} />
      </Wide>
      <Wide label="Load by operation">
        <Operations load={load} />
      </Wide>
      <Wide label="Latency of all of the load">
        <Latencies load={load} />
      </Wide>
      <Fields
        rows={[
          [
            'judged',
            `${grouped(judged.answers)} of ${grouped(judged.of)} answers; ${grouped(judged.kept)} exchanges kept`,
          ],
          ...load.violations.map(
            ({ rule, count, firstStep, firstExchange }, at) =>
              [
                at === 0 ? 'wrong' : '',
                `${rule}: ${grouped(count)} times, first in ${load.steps[firstStep]?.name ?? 'a step'}${firstExchange === '' ? '' : `, ${firstExchange}`}`,
              ] as const,
          ),
          ['generator', run.load.generator],
        ]}
      />
    </Part>
  );
}

function whyOpen(load: RunLoad): readonly string[] {
  const why = load.limiter === undefined ? undefined : whyLoadOpen(load);
  return why === undefined ? load.invalid : [...load.invalid, `${why}.`];
}

const TIMES = ['p50', 'p95', 'p99', 'p99.9'] as const;

function Head({ names }: { readonly names: readonly string[] }): VNode {
  const [first, ...others] = names;
  return (
    <thead>
      <tr>
        <th scope="col">{first}</th>
        {others.map((name) => (
          <th key={name} scope="col" class="number">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function Cells({
  name,
  cells,
}: {
  readonly name: string;
  readonly cells: readonly string[];
}): VNode {
  return (
    <tr>
      <th scope="row" class="id">
        {name}
      </th>
      {cells.map((cell, at) => (
        <td key={at} class="number">
          {cell}
        </td>
      ))}
    </tr>
  );
}

function Latencies({ load }: { readonly load: RunLoad }): VNode {
  const { whole } = load;
  const rows = [
    ['served', whole.latency, 'served'],
    ['all that was not throttled', whole.allLatency, undefined],
  ] as const;
  return (
    <table class="figures">
      <Head names={['Latency, ms', 'requests', ...TIMES, 'slowest']} />
      <tbody>
        {rows.map(([name, row, of]) => (
          <Cells
            key={name}
            name={name}
            cells={
              row === undefined
                ? ['not known', '', '', '', '', '']
                : [
                    grouped(row.count),
                    ...LATENCY_NAMES.map((one) => latencyCell(latencyOf(whole, one, of), ms)),
                  ]
            }
          />
        ))}
      </tbody>
    </table>
  );
}

function timesOf({ latency }: Pick<LoadRow, 'latency'>): string[] {
  const { count, p50Ms, p95Ms, p99Ms, p999Ms } = latency;
  return [p50Ms, p95Ms, p99Ms, p999Ms].map((value) => (count === 0 ? '–' : ms(value)));
}

function failing({ counts }: LoadRow): string[] {
  return [counts.throttled, errorsOf(counts)].map(dash);
}

function dash(value: number): string {
  return value === 0 ? '–' : grouped(value);
}

function Steps({ load }: { readonly load: RunLoad }): VNode {
  return (
    <table class="figures">
      <Head
        names={['Step', 'offered /s', 'admitted /s', ...TIMES, 'throttled', 'errors', 'wrong']}
      />
      <tbody>
        {load.steps.map((step, at) => (
          <Cells
            key={at}
            name={step.name}
            cells={[
              ...[step.offeredPerSecond, step.admittedPerSecond].map((rate) => ms(rate)),
              ...timesOf(step),
              ...failing(step),
              dash(step.violations),
            ]}
          />
        ))}
      </tbody>
    </table>
  );
}

function Operations({ load }: { readonly load: RunLoad }): VNode {
  return (
    <table class="figures">
      <Head names={['Operation', 'offered', 'admitted', ...TIMES, 'throttled', 'errors']} />
      <tbody>
        {load.operations.map((row) => (
          <Cells
            key={row.operation}
            name={row.operation}
            cells={[
              ...[row.counts.offered, row.counts.served].map(grouped),
              ...timesOf(row),
              ...failing(row),
            ]}
          />
        ))}
      </tbody>
    </table>
  );
}

/** The run among earlier ones, and compared with a baseline. */
export function Trend({ run, place }: LoadProps): VNode | null {
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
