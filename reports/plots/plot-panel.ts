/** What all plots have in common: an SVG document of panels, with axes, grid and legend. No scripts. */

import { cut, printable } from '../text.ts';

export const PLOT_WIDTH = 960;

/** Where the plot of a panel lies in it, in pixels. */
export interface PanelBox {
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Greys and hues that stand out from white and from black alike. */
export const HUES = {
  grey: '#8b93a1',
  green: '#2a9d6f',
  yellow: '#b58a1b',
  red: '#e0503c',
  blue: '#4b7fd0',
} as const;

const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #6b7280 }
  .title { font-size: 14px; font-weight: 600; fill: ${HUES.blue} }
  .axis { stroke: ${HUES.grey}; stroke-width: 1; fill: none }
  .grid { stroke: ${HUES.grey}; stroke-opacity: .25 }`;

/** What a panel draws. */
export interface Panel {
  readonly title: string;
  /** In grey below the title. */
  readonly words?: string;
  /** What the marks are. */
  readonly legend: string;
  /** What the axes show, below and left of them. */
  readonly axes?: { readonly across: string; readonly upwards: string };
  /** SVG of the panel, above its axes and below them. */
  readonly body: readonly string[];
  /** Where it is another one than that of the document. */
  readonly box?: PanelBox;
}

/**
 * The whole document.
 *
 * @param label what it shows, for who does not see it
 * @param style of what the panels draw besides, as CSS
 * @param foot a line below all panels
 */
export function plotDocument(
  label: string,
  style: string,
  box: PanelBox,
  panels: readonly Panel[],
  foot?: string,
): string {
  const boxes = panels.map((panel) => panel.box ?? box);
  const tops = boxes.map((_, at) => boxes.slice(0, at).reduce((sum, one) => sum + one.height, 0));
  const all = boxes.reduce((sum, one) => sum + one.height, 0);
  const height = Math.max(all, box.height) + (foot === undefined ? 0 : FOOT_HEIGHT);
  const title = escaped(label);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${PLOT_WIDTH}" height="${height}" viewBox="0 0 ${PLOT_WIDTH} ${height}" role="img" aria-label="${title}">
<title>${title}</title>
<style>${STYLE}${style}
</style>
${[...panels.map((panel, at) => panelText(panel, boxes[at] ?? box, tops[at] ?? 0)), ...(foot === undefined ? [] : [`<text x="${box.left}" y="${height - 8}">${inLine(foot)}</text>`])].join('\n')}
</svg>
`;
}

/** Characters that a line has room for. */
const MAX_WORDS = 145;
const FOOT_HEIGHT = 24;

function inLine(text: string): string {
  return escaped(printable(cut(text, MAX_WORDS)));
}

function panelText({ title, words, legend, axes, body }: Panel, box: PanelBox, y: number): string {
  const { left, right, top, height, bottom } = box;
  return [
    `<g transform="translate(0 ${y})">`,
    `<text class="title" x="${left}" y="20">${inLine(title)}</text>`,
    ...(words === undefined ? [] : [`<text x="${left}" y="38">${inLine(words)}</text>`]),
    `<text x="${PLOT_WIDTH - right}" y="20" text-anchor="end" xml:space="preserve">${legend}</text>`,
    ...(axes === undefined ? [] : axisNames(axes, box)),
    ...body,
    `<path class="axis" d="M${left} ${top}V${height - bottom}H${PLOT_WIDTH - right}"/>`,
    '</g>',
  ].join('\n');
}

function axisNames(axes: NonNullable<Panel['axes']>, box: PanelBox): string[] {
  const { left, right, top, height, bottom } = box;
  const middle = short((left + PLOT_WIDTH - right) / 2);
  return [
    `<text x="${middle}" y="${height - bottom + 34}" text-anchor="middle">${inLine(axes.across)}</text>`,
    `<text transform="translate(14 ${short((top + height - bottom) / 2)}) rotate(-90)" text-anchor="middle">${inLine(axes.upwards)}</text>`,
  ];
}

/** Pixels from the left. */
export function across({ left, right }: PanelBox, share: number): string {
  return short(left + (PLOT_WIDTH - left - right) * share);
}

/** Pixels from the top; a share of 1 is at the top of the plot. */
export function upwards({ top, bottom, height }: PanelBox, share: number): string {
  return short(top + (height - top - bottom) * (1 - share));
}

/** A line across the grid, from top to foot, with what it is called below. */
export function tick(box: PanelBox, share: number, label: string, hasLine = true): string {
  const [x, top, foot] = [across(box, share), box.top, box.height - box.bottom];
  const line = `<line class="grid" x1="${x}" x2="${x}" y1="${top}" y2="${foot}"/>`;
  return `${hasLine ? line : ''}<text x="${x}" y="${foot + 16}" text-anchor="middle">${escaped(label)}</text>`;
}

/** What a height means, left of the axis. */
export function level(box: PanelBox, share: number, label: string): string {
  return `<text x="${box.left - 8}" y="${Number(upwards(box, share)) + 4}" text-anchor="end">${escaped(label)}</text>`;
}

/** A coloured sign of a legend. */
export function sign(hue: string, mark = '●'): string {
  return `<tspan style="fill:${hue}">${mark}</tspan>`;
}

/** A polyline, with gaps if there is no value. */
export function polyline(points: readonly (readonly [x: string, y: string] | undefined)[]): string {
  let isDrawing = false;
  const path = points
    .map((point) => {
      const command = isDrawing ? 'L' : 'M';
      isDrawing = point !== undefined;
      // A lone point is a line of no length, which round ends show.
      return point === undefined ? '' : `${command}${point[0]} ${point[1]}h0`;
    })
    .join('');
  return path === '' ? 'M0 0' : path;
}

/** The next round number. */
export function roundUp(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 2.5, 5, 10].map((one) => one * power).find((one) => one >= value) ?? value;
}

/** Round times, at most ten of them. */
export function ticksUpTo(seconds: number): number[] {
  const rough = seconds / 8;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough) ?? rough;
  return Array.from({ length: Math.floor(seconds / step) + 1 }, (_, at) => at * step);
}

/** Two digits behind the point at most. */
export function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** A text as it may stand in SVG, in content and in attributes. */
export function escaped(text: string): string {
  // Of what is no character XML knows nothing.
  return text
    .replaceAll(/[\uFFFE\uFFFF]|\p{Cs}/gu, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
