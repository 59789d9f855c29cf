/** A plot of what a limit probe sent, and what the fitted model says was left: one SVG, no scripts. */

import type { LimitPanel } from '../contracts/limit-panel.ts';
import { plural } from './text.ts';

const WIDTH = 960;
const PANEL_HEIGHT = 250;
const LEFT = 56;
const RIGHT = 20;
const TOP = 56;
const BOTTOM = 40;
/** Greys and hues that stand out from white and from black alike. */
const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #6b7280 }
  .title { font-size: 14px; font-weight: 600; fill: #4b7fd0 }
  .axis { stroke: #8b93a1; stroke-width: 1 }
  .grid { stroke: #8b93a1; stroke-opacity: .25 }
  .model { fill: #8b93a1; fill-opacity: .22; stroke: #8b93a1; stroke-width: 1.2 }
  .admitted { fill: #2a9d6f }
  .rejected { stroke: #e0503c; stroke-width: 2; fill: none }
  .failed { fill: none; stroke: #b58a1b; stroke-width: 1.5 }`;

/** The whole document. */
export function renderLimitPlot(panels: readonly LimitPanel[]): string {
  const height = Math.max(1, panels.length) * PANEL_HEIGHT;
  const body = panels.map((panel, at) => panelOf(panel, at * PANEL_HEIGHT)).join('\n');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Rate limits: requests and the fitted model">
<style>${STYLE}
</style>
${body}
</svg>
`;
}

function panelOf(panel: LimitPanel, y: number): string {
  const { title, found, events, levels } = panel;
  const seconds = Math.max(1e-3, ...events.map(({ atSeconds }) => atSeconds));
  const most = Math.max(1, ...levels.map(({ left }) => left), levels.length > 0 ? 1 : heap(events));
  const plotWidth = WIDTH - LEFT - RIGHT;
  const plotHeight = PANEL_HEIGHT - TOP - BOTTOM;
  const x = (atSeconds: number): string => short(LEFT + (plotWidth * atSeconds) / seconds);
  const level = (left: number): string => short(TOP + plotHeight * (1 - left / most));
  const ticks = ticksUpTo(seconds);
  const heights = heightsOf(panel);
  return [
    `<g transform="translate(0 ${y})">`,
    `<text class="title" x="${LEFT}" y="20">${escaped(title)}</text>`,
    `<text x="${LEFT}" y="38">${escaped(found)}</text>`,
    legend(panel),
    ...ticks.map((tick) => {
      const at = x(tick);
      return `<line class="grid" x1="${at}" x2="${at}" y1="${TOP}" y2="${TOP + plotHeight}"/><text x="${at}" y="${TOP + plotHeight + 16}" text-anchor="middle">${short(tick)} s</text>`;
    }),
    `<text x="${LEFT - 8}" y="${TOP + 4}" text-anchor="end">${short(most)}</text>`,
    `<text x="${LEFT - 8}" y="${TOP + plotHeight + 4}" text-anchor="end">0</text>`,
    ...(levels.length === 0 ? [] : [modelPath(panel, x, level, seconds)]),
    `<path class="axis" fill="none" d="M${LEFT} ${TOP}V${TOP + plotHeight}H${WIDTH - RIGHT}"/>`,
    ...events.map(({ atSeconds, outcome }, at) =>
      mark(outcome, x(atSeconds), level(heights[at] ?? 0)),
    ),
    '</g>',
  ].join('\n');
}

/** The area under what the model says is left. */
function modelPath(
  { levels }: LimitPanel,
  x: (atSeconds: number) => string,
  level: (left: number) => string,
  seconds: number,
): string {
  const inside = levels.filter(({ atSeconds }) => atSeconds <= seconds);
  const points = inside.map(({ atSeconds, left }) => `${x(atSeconds)} ${level(left)}`);
  const [first, last] = [inside[0], inside.at(-1)];
  if (first === undefined || last === undefined) return '';
  return `<path class="model" d="M${x(first.atSeconds)} ${level(0)}L${points.join('L')}L${x(last.atSeconds)} ${level(0)}Z"/>`;
}

/**
 * Where each event stands: at what the model says was left, so that a rejection above 0 is seen as a
 * mismatch at once; without a model admitted ones pile up until one is rejected.
 */
function heightsOf({ events, levels }: LimitPanel): number[] {
  if (levels.length === 0) return pile(events);
  let at = 0;
  return events.map(({ atSeconds }) => {
    while ((levels[at + 1]?.atSeconds ?? Infinity) <= atSeconds) at += 1;
    return levels[at]?.left ?? 0;
  });
}

function pile(events: LimitPanel['events']): number[] {
  let run = 0;
  return events.map(({ outcome }) => (run = outcome === 'admitted' ? run + 1 : 0));
}

function heap(events: LimitPanel['events']): number {
  return Math.max(1, ...pile(events));
}

function mark(outcome: LimitPanel['events'][number]['outcome'], x: string, y: string): string {
  switch (outcome) {
    case 'admitted':
      return `<circle class="admitted" cx="${x}" cy="${y}" r="2.6"/>`;
    case 'rejected':
      return `<path class="rejected" d="M${x} ${y}m-4 -4l8 8m0 -8l-8 8"/>`;
    case 'failed':
      return `<circle class="failed" cx="${x}" cy="${y}" r="4"/>`;
  }
}

function legend({ events, levels }: LimitPanel): string {
  const count = (outcome: string): number =>
    events.filter((event) => event.outcome === outcome).length;
  const failed = count('failed');
  const words = [
    `<tspan class="admitted" style="fill:#2a9d6f">●</tspan> ${count('admitted')} admitted`,
    `<tspan style="fill:#e0503c">×</tspan> ${count('rejected')} rejected`,
    ...(failed === 0 ? [] : [`<tspan style="fill:#b58a1b">○</tspan> ${failed} failed`]),
    ...(levels.length === 0 ? [] : ['▒ left by the fitted model']),
  ];
  const label = `${plural(events.length, 'request')}: ${words.join('  ')}`;
  return `<text x="${WIDTH - RIGHT}" y="20" text-anchor="end" xml:space="preserve">${label}</text>`;
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
