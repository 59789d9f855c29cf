/** Tables of what a load measured: of the whole, of each step and of each operation. */

import type { VNode } from 'preact';
import { answeredPerSecond } from '../../contracts/run/load/answered-rate.ts';
import { errorsOf } from '../../contracts/run/load/fates.ts';
import type {
  LatencySummary,
  LoadPhases,
  LoadRow,
  RunLoad,
} from '../../contracts/run/load/load-run.ts';
import { latencyOf } from '../../contracts/run/load/selected-row.ts';
import { LATENCY_NAMES } from '../../contracts/run/load/threshold.ts';
import { latencyCell } from '../terminal/load-figures.ts';
import { warmUpWords } from '../terminal/load-words.ts';
import { Wide } from './basics.tsx';
import { grouped } from './exchange.tsx';
import { Cells, Head } from './figures.tsx';
import { ms } from './latencies.tsx';

/** A part of the load: its row, and how long it took. */
interface NamedRow {
  readonly name: string;
  readonly row: LoadRow;
  readonly seconds: number;
  /** Of judged answers; absent if none was judged, and of operations. */
  readonly violations?: number;
}

/** All tables; what was not measured is in none. */
export function LoadTables({ load }: { readonly load: RunLoad }): VNode {
  const rows = rowsOf(load);
  return (
    <>
      <Wide label="Requests of the whole, by step and by operation">
        <Requests rows={rows} />
      </Wide>
      {warmUpWords(load).map((words) => (
        <p key={words} class="note">
          Latencies are without a {words}.
        </p>
      ))}
      <Wide label="Latency of served answers">
        <Latencies rows={rows} title="Served, ms" of="served" />
      </Wide>
      <Wide label="Latency of all that was not throttled">
        <Latencies rows={rows} title="All not throttled, ms" />
      </Wide>
      {rows.every(({ row }) => row.phases === undefined) ? null : (
        <Wide label="What latencies are made of">
          <Phases rows={rows} />
        </Wide>
      )}
    </>
  );
}

/** What is known of connections. */
export function connectionFields({ connections }: RunLoad): (readonly [string, string])[] {
  if (connections === undefined) return [];
  const { opened, connecting, tls } = connections;
  const parts = [
    `${grouped(opened)} opened`,
    ...(connecting === undefined ? [] : [`connecting ${middleAndWorst(connecting)}`]),
    ...(tls === undefined ? [] : [`TLS ${middleAndWorst(tls)}`]),
  ];
  return [['connections', parts.join(', ')]];
}

function middleAndWorst({ p50Ms, p99Ms }: LatencySummary): string {
  const words = (one: number | undefined): string => (one === undefined ? '–' : `${ms(one)} ms`);
  return `${words(p50Ms)} at p50, ${words(p99Ms)} at p99`;
}

function rowsOf({ whole, steps, operations }: RunLoad): NamedRow[] {
  const sum = (of: 'seconds' | 'judged' | 'violations'): number =>
    steps.reduce((all, step) => all + step[of], 0);
  const seconds = sum('seconds');
  const found = (judged: number, violations: number): Pick<NamedRow, 'violations'> =>
    judged === 0 ? {} : { violations };
  return [
    { name: 'whole', row: whole, seconds, ...found(sum('judged'), sum('violations')) },
    ...steps.map((row) => ({
      name: `step ${row.name}`,
      ...{ row, seconds: row.seconds, ...found(row.judged, row.violations) },
    })),
    ...operations.map((row) => ({ name: row.operation, row, seconds })),
  ];
}

function known(value: number | undefined): string {
  return value === undefined ? '–' : grouped(value);
}

interface TableProps {
  readonly rows: readonly NamedRow[];
}

function Requests({ rows }: TableProps): VNode {
  const isMeasured = rows.some(({ row }) => row.requestSeconds !== undefined);
  const inFlight = ({ row, seconds }: NamedRow): string =>
    row.requestSeconds === undefined || seconds <= 0 ? '–' : ms(row.requestSeconds / seconds);
  const isKnown = rows.some(({ row }) => row.answered !== undefined);
  const answeredRate = ({ row, seconds }: NamedRow): string => {
    const value = answeredPerSecond(row, seconds, isKnown);
    return value === undefined ? '–' : ms(value);
  };
  return (
    <table class="figures">
      <Head
        names={[
          ...['Requests', 'offered', 'sent', 'served', 'served /s', 'throttled', 'errors', 'wrong'],
          ...(isMeasured ? ['in flight'] : []),
        ]}
      />
      <tbody>
        {rows.map((one, at) => (
          <Cells
            key={at}
            name={one.name}
            cells={[
              ...[one.row.counts.offered, one.row.counts.sent, one.row.counts.served].map(grouped),
              answeredRate(one),
              ...[one.row.counts.throttled, errorsOf(one.row.counts), one.violations].map(known),
              ...(isMeasured ? [inFlight(one)] : []),
            ]}
          />
        ))}
      </tbody>
    </table>
  );
}

function Latencies({
  rows,
  title,
  of,
}: TableProps & { readonly title: string; readonly of?: 'served' }): VNode {
  const summaryOf = ({ latency, allLatency }: LoadRow): Partial<LatencySummary> | undefined =>
    of === 'served' ? latency : allLatency;
  const shown = LATENCY_NAMES.filter((name) =>
    rows.some(({ row }) => latencyOf(row, name, of) !== undefined),
  );
  const hasMean = rows.some(({ row }) => summaryOf(row)?.meanMs !== undefined);
  const meanOf = (row: LoadRow): string => {
    const { count = 0, meanMs } = summaryOf(row) ?? {};
    return count === 0 || meanMs === undefined ? '–' : ms(meanMs);
  };
  return (
    <table class="figures">
      <Head names={[title, 'count', ...shown, ...(hasMean ? ['mean'] : [])]} />
      <tbody>
        {rows.map(({ name, row }, at) => (
          <Cells
            key={at}
            name={name}
            cells={[
              known(summaryOf(row)?.count),
              ...shown.map((one) => latencyCell(latencyOf(row, one, of), ms)),
              ...(hasMean ? [meanOf(row)] : []),
            ]}
          />
        ))}
      </tbody>
    </table>
  );
}

const PHASES = ['waiting', 'firstByte', 'download'] as const;
const MEGABYTE = 1e6;

function Phases({ rows }: TableProps): VNode {
  const cellsOf = (phases: LoadPhases): string[] => [
    ...PHASES.flatMap((phase) => {
      const { p50Ms, p99Ms } = phases[phase];
      return [latencyCell(p50Ms), latencyCell(p99Ms)];
    }),
    (phases.receivedBytes / MEGABYTE).toFixed(2),
  ];
  return (
    <table class="figures">
      <Head
        names={[
          ...[
            'Made of, ms',
            'connection p50',
            'p99',
            'first byte p50',
            'p99',
            'download p50',
            'p99',
          ],
          'received MB',
        ]}
      />
      <tbody>
        {rows.map(({ name, row }, at) =>
          row.phases === undefined ? null : (
            <Cells key={at} name={name} cells={cellsOf(row.phases)} />
          ),
        )}
      </tbody>
    </table>
  );
}
