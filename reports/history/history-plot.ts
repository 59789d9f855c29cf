/** Plots of what runs came to, one after the other: rules, latency, limits. */

import type { HistoryEntry } from '../../contracts/history/run-history.ts';
import type { LimitSeries } from '../../contracts/history/run-history-changes.ts';
import {
  across,
  HUES,
  level,
  type Panel,
  type PanelBox,
  plotDocument,
  polyline,
  roundUp,
  short,
  sign,
  tick,
  upwards,
} from '../plots/plot-panel.ts';
import { cut, plural, printable } from '../text.ts';

const BOX: PanelBox = { height: 170, left: 64, right: 20, top: 36, bottom: 30 };
const MAX_TICKS = 8;
const STYLE = `
  .line { fill: none; stroke-width: 1.6; stroke-linejoin: round; stroke-linecap: round }
  .run { stroke: none }`;

/** One line of a panel; no value if a run says nothing. */
interface Line {
  readonly name: string;
  readonly hue: string;
  readonly values: readonly (number | undefined)[];
}

/** When each run began, as short as distinguishes them: by day, or by time if all are of one day. */
export function runLabels(entries: readonly Pick<HistoryEntry, 'startedAt'>[]): string[] {
  const stamps = entries.map(({ startedAt }) => new Date(startedAt).toISOString());
  const isOneDay = new Set(stamps.map((stamp) => stamp.slice(0, 10))).size === 1;
  return stamps.map((stamp) => (isOneDay ? stamp.slice(11, 16) : stamp.slice(5, 10)));
}

function panelOf(
  title: string,
  unit: string,
  lines: readonly Line[],
  entries: readonly HistoryEntry[],
): Panel {
  const known = lines.flatMap(({ values }) => values.flatMap((value) => value ?? []));
  const most = roundUp(known.reduce((max, value) => Math.max(max, value), 0));
  const x = (at: number): string => across(BOX, (at + 0.5) / Math.max(1, entries.length));
  const y = (value: number): string => upwards(BOX, value / most);
  const step = Math.max(1, Math.ceil(entries.length / MAX_TICKS));
  const labels = runLabels(entries);
  return {
    title: cut(title, 80),
    legend: lines.map(({ name, hue }) => `${sign(hue)} ${name}`).join('  '),
    body: [
      ...[level(BOX, 1, `${short(most)}${unit}`), level(BOX, 0, '0')],
      ...labels.flatMap((label, at) =>
        at % step === 0 ? [tick(BOX, (at + 0.5) / entries.length, label)] : [],
      ),
      ...lines.map(({ hue, values }) => {
        const points = values.map((value, at) =>
          value === undefined ? undefined : ([x(at), y(value)] as const),
        );
        return `<path class="line" stroke="${hue}" d="${polyline(points)}"/>`;
      }),
      ...lines.flatMap(({ hue, values }) =>
        values.flatMap((value, at) =>
          value === undefined
            ? []
            : [`<circle class="run" fill="${hue}" cx="${x(at)}" cy="${y(value)}" r="3"/>`],
        ),
      ),
    ],
  };
}

/** How many rules each run found broken, and did not reach. */
export function renderRulesPlot(entries: readonly HistoryEntry[]): string {
  const count = ({ verdicts }: HistoryEntry, ...names: (keyof typeof verdicts)[]): number =>
    names.reduce((sum, name) => sum + (verdicts[name]?.length ?? 0), 0);
  const lines: Line[] = [
    { name: 'broken', hue: HUES.red, values: entries.map((one) => count(one, 'fail', 'warn')) },
    {
      name: 'not reached',
      hue: HUES.grey,
      values: entries.map((one) => count(one, 'not-reached', 'inconclusive')),
    },
  ];
  const waived = entries.map((one) => count(one, 'waived'));
  if (waived.some((value) => value > 0))
    lines.push({ name: 'waived', hue: HUES.yellow, values: waived });
  const label = `Rules that were broken or not reached, over ${plural(entries.length, 'run')}`;
  return plotDocument(label, STYLE, BOX, [panelOf('Rules', '', lines, entries)]);
}

/** The latency of some operations in each run. */
export function renderLatencyPlot(
  entries: readonly HistoryEntry[],
  operations: readonly string[],
): string {
  const panels = operations.map((operation) => {
    const rows = entries.map(({ latencies }) =>
      latencies.find((row) => row.operation === operation),
    );
    const lines: Line[] = [
      { name: 'p50', hue: HUES.green, values: rows.map((row) => row?.p50Ms) },
      { name: 'p95', hue: HUES.yellow, values: rows.map((row) => row?.p95Ms) },
    ];
    return panelOf(printable(operation), ' ms', lines, entries);
  });
  const label = `Latency of ${plural(operations.length, 'operation')} over ${plural(entries.length, 'run')}`;
  return plotDocument(label, STYLE, BOX, panels);
}

/** The limits that each run measured, in requests a second and at once. */
export function renderLimitsPlot(
  entries: readonly HistoryEntry[],
  series: readonly LimitSeries[],
): string {
  const panels = series.map(({ api, scope, rows }) => {
    const lines: Line[] = [
      {
        name: 'requests in a window',
        hue: HUES.blue,
        values: rows.map((row) => row?.limit ?? row?.burst),
      },
      {
        name: 'a second, in the long run',
        hue: HUES.green,
        values: rows.map((row) =>
          row?.limit !== undefined && row.windowSeconds !== undefined && row.windowSeconds > 0
            ? row.limit / row.windowSeconds
            : row?.refillPerSecond,
        ),
      },
    ];
    return panelOf(printable(`${api}, ${scope}`), '', lines, entries);
  });
  const label = `Rate limits over ${plural(entries.length, 'run')}`;
  return plotDocument(label, STYLE, BOX, panels);
}
