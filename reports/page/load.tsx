/** A load run: errors, thresholds, latencies by step and operation, wrong answers. */

import type { VNode } from 'preact';
import { errorsOf } from '../../contracts/run/load/fates.ts';
import { whyLoadOpen } from '../../contracts/run/load/load-outcome.ts';
import type { LoadRow, RunLoad } from '../../contracts/run/load/load-run.ts';
import { latencyOf } from '../../contracts/run/load/selected-row.ts';
import { LATENCY_NAMES } from '../../contracts/run/load/threshold.ts';
import type { PageRun } from '../html/html-data.ts';
import { latencyCell } from '../terminal/load-figures.ts';
import { errorRowWords, judgedWords } from '../terminal/load-words.ts';
import { Fields, Part, Wide } from './basics.tsx';
import { grouped } from './exchange.tsx';
import { Remarks } from './tables.tsx';
import { Cells, Head } from './figures.tsx';
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
  return (
    <Part id={`${place}-load`} title={`Load: ${load.scenario}`}>
      <Remarks of={whyOpen(load).map((why) => ['?', why] as const)} />
      <Errors load={load} />
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
          ['judged', judgedWords(load)],
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

/** What errors were, before all else: whoever sees a share of them asks. */
function Errors({ load }: { readonly load: RunLoad }): VNode | null {
  const rows = errorRowWords(load);
  if (rows.length === 0) return null;
  const left = rows.length - MAX_ERRORS;
  return (
    <Wide label="Errors by operation and reason">
      <table class="figures">
        <Head names={['Errors', 'of requests', 'when they were due']} />
        <tbody>
          {rows.slice(0, MAX_ERRORS).map(({ what, share, when }) => (
            <Cells key={what} name={what} cells={[share, when]} />
          ))}
          {left > 0 ? <Cells name={`${left} more in run.json`} cells={['', '']} /> : null}
        </tbody>
      </table>
    </Wide>
  );
}

/** Others are left to run.json. */
const MAX_ERRORS = 20;

function whyOpen(load: RunLoad): readonly string[] {
  const why = load.limiter === undefined ? undefined : whyLoadOpen(load);
  return why === undefined ? load.invalid : [...load.invalid, `${why}.`];
}

const TIMES = ['p50', 'p95', 'p99', 'p99.9'] as const;

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
