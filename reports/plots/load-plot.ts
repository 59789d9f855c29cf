/** A plot of a load run over time: latency, rates, violations; one SVG, no scripts. */

import type { LoadMoment, RunLoad } from '../../contracts/run/load/load-run.ts';
import {
  across,
  escaped,
  HUES,
  level,
  type Panel,
  type PanelBox,
  PLOT_WIDTH,
  plotDocument,
  polyline,
  roundUp,
  short,
  sign,
  tick,
  ticksUpTo,
  upwards,
} from '../plot-panel.ts';
import { cut, printable } from '../text.ts';

const BOX: PanelBox = { height: 220, left: 64, right: 20, top: 48, bottom: 36 };
const PLOTTED_WIDTH: number = PLOT_WIDTH - BOX.left - BOX.right;

const LINE_HUES = {
  p50: HUES.green,
  p95: HUES.yellow,
  p99: HUES.red,
  offered: HUES.grey,
  admitted: HUES.green,
  throttled: HUES.yellow,
  errors: HUES.red,
  violations: HUES.red,
} as const;

const STYLE = `
  .step { stroke: ${HUES.grey}; stroke-opacity: .6; stroke-dasharray: 3 3 }
  .line { fill: none; stroke-width: 1.6; stroke-linejoin: round }`;

/** One line of a panel. */
interface Line {
  readonly name: keyof typeof LINE_HUES;
  /** Undefined where nothing was measured: the line has a gap there. */
  readonly valueOf: (moment: LoadMoment) => number | undefined;
}

interface LinePanel {
  readonly title: string;
  readonly unit: string;
  readonly lines: readonly Line[];
}

const perSecond =
  (name: 'offered' | 'admitted' | 'throttled' | 'errors' | 'violations') =>
  (moment: LoadMoment): number =>
    moment[name] / moment.seconds;

const PANELS: readonly LinePanel[] = [
  {
    title: 'Latency of served answers, from when each should have been sent',
    unit: 'ms',
    lines: [
      { name: 'p50', valueOf: ({ p50Ms }) => p50Ms },
      { name: 'p95', valueOf: ({ p95Ms }) => p95Ms },
      { name: 'p99', valueOf: ({ p99Ms }) => p99Ms },
    ],
  },
  {
    title: 'Requests a second',
    unit: '/s',
    lines: (['offered', 'admitted', 'throttled', 'errors'] as const).map((name) => ({
      name,
      valueOf: perSecond(name),
    })),
  },
  {
    title: 'Wrong answers a second, of those that were judged',
    unit: '/s',
    lines: [{ name: 'violations', valueOf: perSecond('violations') }],
  },
];

/** The whole document. */
export function renderLoadPlot(given: RunLoad): string {
  const load = printable(given);
  const label = 'Load: latency, rates and wrong answers over time';
  const panels = PANELS.map((panel, at) => panelOf(panel, load, at));
  return plotDocument(label, STYLE, BOX, panels);
}

function panelOf({ title, unit, lines }: LinePanel, load: RunLoad, at: number): Panel {
  const { moments, steps, scenario } = load;
  const seconds = moments.reduce((most, one) => Math.max(most, one.second + one.seconds), 1);
  const values = moments.flatMap((moment) => lines.map(({ valueOf }) => valueOf(moment) ?? 0));
  const most = roundUp(values.reduce((sum, value) => Math.max(sum, value), 0));
  const x = (second: number): string => across(BOX, second / seconds);
  const y = (value: number): string => upwards(BOX, value / most);
  const foot = BOX.height - BOX.bottom;
  return {
    title: at === 0 ? `${cut(scenario, 80)}: ${title}` : title,
    legend: legend(lines),
    body: [
      ...[0, 0.25, 0.5, 0.75, 1].map((share) => {
        const value = most * share;
        const line = `<line class="grid" x1="${BOX.left}" x2="${PLOT_WIDTH - BOX.right}" y1="${y(value)}" y2="${y(value)}"/>`;
        return line + level(BOX, share, `${short(value)} ${unit}`);
      }),
      ...ticksUpTo(seconds).map((one) => tick(BOX, one / seconds, `${short(one)} s`, false)),
      ...steps
        .slice(1)
        .map(
          ({ beginsSeconds }) =>
            `<line class="step" x1="${x(beginsSeconds)}" x2="${x(beginsSeconds)}" y1="${BOX.top}" y2="${foot}"/>`,
        ),
      ...(at === 0 ? stepNames(load, x, seconds) : []),
      ...lines.map((line) => lineOf(line, moments, x, y)),
    ],
  };
}

/** Narrower steps have no room for their names. */
const MIN_NAMED_WIDTH = 60;

function stepNames(
  { steps }: RunLoad,
  x: (second: number) => string,
  wholeSeconds: number,
): string[] {
  // Of a run in rounds a step lasts for all of them, and is named where the first one has it.
  const nextBegins = (at: number): number => steps[at + 1]?.beginsSeconds ?? wholeSeconds;
  return steps
    .filter(
      ({ beginsSeconds }, at) =>
        (PLOTTED_WIDTH * (nextBegins(at) - beginsSeconds)) / wholeSeconds >= MIN_NAMED_WIDTH,
    )
    .map(
      ({ name, beginsSeconds }) =>
        `<text x="${Number(x(beginsSeconds)) + 3}" y="${BOX.top - 6}">${escaped(name.slice(0, 20))}</text>`,
    );
}

/** A polyline through the middles of the moments, with gaps where nothing was measured. */
function lineOf(
  { name, valueOf }: Line,
  moments: readonly LoadMoment[],
  x: (second: number) => string,
  y: (value: number) => string,
): string {
  const points = moments.map((moment) => {
    const value = valueOf(moment);
    return value === undefined
      ? undefined
      : ([x(moment.second + moment.seconds / 2), y(value)] as const);
  });
  return `<path class="line" stroke="${LINE_HUES[name]}" stroke-linecap="round" d="${polyline(points)}"/>`;
}

function legend(lines: readonly Line[]): string {
  const words = lines.map(
    ({ name }) => `${sign(LINE_HUES[name])} ${name === 'violations' ? 'wrong answers' : name}`,
  );
  return words.join('  ');
}
