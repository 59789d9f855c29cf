/** A plot of a load run over time: latency, rates, violations; one SVG, no scripts. */

import type { LoadMoment, RunLoad } from '../contracts/load-run.ts';
import { printable } from './text.ts';

const WIDTH = 960;
const PANEL_HEIGHT = 220;
const LEFT = 64;
const RIGHT = 20;
const TOP = 48;
const BOTTOM = 36;
const PLOT_WIDTH: number = WIDTH - LEFT - RIGHT;
const PLOT_HEIGHT: number = PANEL_HEIGHT - TOP - BOTTOM;

/** Hues that stand out from white and from black alike, as those of the plots of limits. */
const HUES = {
  p50: '#2a9d6f',
  p95: '#b58a1b',
  p99: '#e0503c',
  offered: '#8b93a1',
  admitted: '#2a9d6f',
  throttled: '#b58a1b',
  errors: '#e0503c',
  violations: '#e0503c',
} as const;

const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #6b7280 }
  .title { font-size: 14px; font-weight: 600; fill: #4b7fd0 }
  .axis { stroke: #8b93a1; stroke-width: 1; fill: none }
  .grid { stroke: #8b93a1; stroke-opacity: .25 }
  .step { stroke: #8b93a1; stroke-opacity: .6; stroke-dasharray: 3 3 }
  .line { fill: none; stroke-width: 1.6; stroke-linejoin: round }`;

/** One line of a panel. */
interface Line {
  readonly name: keyof typeof HUES;
  /** Undefined where nothing was measured: the line has a gap there. */
  readonly valueOf: (moment: LoadMoment) => number | undefined;
}

interface Panel {
  readonly title: string;
  readonly unit: string;
  readonly lines: readonly Line[];
}

const perSecond =
  (name: 'offered' | 'admitted' | 'throttled' | 'errors' | 'violations') =>
  (moment: LoadMoment): number =>
    moment[name] / moment.seconds;

const PANELS: readonly Panel[] = [
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
  const height = PANELS.length * PANEL_HEIGHT;
  const panels = PANELS.map((panel, at) => panelOf(panel, load, at));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Load: latency, rates and wrong answers over time">
<style>${STYLE}
</style>
${panels.join('\n')}
</svg>
`;
}

function panelOf({ title, unit, lines }: Panel, load: RunLoad, at: number): string {
  const { moments, steps, scenario } = load;
  const seconds = Math.max(1, ...moments.map((one) => one.second + one.seconds));
  const values = moments.flatMap((moment) => lines.map(({ valueOf }) => valueOf(moment) ?? 0));
  const most = roundUp(values.reduce((sum, value) => Math.max(sum, value), 0));
  const x = (second: number): string => short(LEFT + (PLOT_WIDTH * second) / seconds);
  const y = (value: number): string => short(TOP + PLOT_HEIGHT * (1 - value / most));
  return [
    `<g transform="translate(0 ${at * PANEL_HEIGHT})">`,
    `<text class="title" x="${LEFT}" y="20">${escaped(at === 0 ? `${scenario}: ${title}` : title)}</text>`,
    legend(lines),
    ...[0, 0.25, 0.5, 0.75, 1].map((share) => {
      const value = most * share;
      return `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(value)}" y2="${y(value)}"/><text x="${LEFT - 8}" y="${Number(y(value)) + 4}" text-anchor="end">${short(value)} ${unit}</text>`;
    }),
    ...ticksUpTo(seconds).map(
      (tick) =>
        `<text x="${x(tick)}" y="${TOP + PLOT_HEIGHT + 16}" text-anchor="middle">${short(tick)} s</text>`,
    ),
    ...steps
      .slice(1)
      .map(
        ({ beginsSeconds }) =>
          `<line class="step" x1="${x(beginsSeconds)}" x2="${x(beginsSeconds)}" y1="${TOP}" y2="${TOP + PLOT_HEIGHT}"/>`,
      ),
    ...(at === 0 ? stepNames(load, x, seconds) : []),
    ...lines.map((line) => lineOf(line, moments, x, y)),
    `<path class="axis" d="M${LEFT} ${TOP}V${TOP + PLOT_HEIGHT}H${WIDTH - RIGHT}"/>`,
    '</g>',
  ].join('\n');
}

/** Narrower steps have no room for their names. */
const LEAST_NAMED_WIDTH = 60;

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
        (PLOT_WIDTH * (nextBegins(at) - beginsSeconds)) / wholeSeconds >= LEAST_NAMED_WIDTH,
    )
    .map(
      ({ name, beginsSeconds }) =>
        `<text x="${Number(x(beginsSeconds)) + 3}" y="${TOP - 6}">${escaped(name.slice(0, 20))}</text>`,
    );
}

/** A polyline through the middles of the moments, with gaps where nothing was measured. */
function lineOf(
  { name, valueOf }: Line,
  moments: readonly LoadMoment[],
  x: (second: number) => string,
  y: (value: number) => string,
): string {
  let isDrawing = false;
  const path = moments
    .map((moment) => {
      const value = valueOf(moment);
      const command = isDrawing ? 'L' : 'M';
      isDrawing = value !== undefined;
      if (value === undefined) return '';
      // A lone point is a line of no length, which round ends would show.
      return `${command}${x(moment.second + moment.seconds / 2)} ${y(value)}h0`;
    })
    .join('');
  return `<path class="line" stroke="${HUES[name]}" stroke-linecap="round" d="${path === '' ? 'M0 0' : path}"/>`;
}

function legend(lines: readonly Line[]): string {
  const words = lines.map(
    ({ name }) =>
      `<tspan style="fill:${HUES[name]}">●</tspan> ${name === 'violations' ? 'wrong answers' : name}`,
  );
  return `<text x="${WIDTH - RIGHT}" y="20" text-anchor="end" xml:space="preserve">${words.join('  ')}</text>`;
}

/** The next round number. */
function roundUp(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 2.5, 5, 10].map((one) => one * power).find((one) => one >= value) ?? value;
}

/** Round times, at most ten of them. */
function ticksUpTo(seconds: number): number[] {
  const rough = seconds / 8;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough) ?? rough;
  return Array.from({ length: Math.floor(seconds / step) + 1 }, (_, at) => at * step);
}

function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
