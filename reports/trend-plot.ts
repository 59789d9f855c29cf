/** A plot of latencies over nights: one SVG, no scripts. */

import type { LoadTrend, TrendSeries } from '../contracts/load-trend.ts';
import { changeInWords, dayOf, subjectName } from './terminal-trend.ts';
import { cut, plural, printable } from './text.ts';

const WIDTH = 960;
const PANEL_HEIGHT = 230;
const LEFT = 56;
const RIGHT = 20;
const TOP = 60;
const BOTTOM = 36;
const PLOT_WIDTH = WIDTH - LEFT - RIGHT;
const PLOT_HEIGHT = PANEL_HEIGHT - TOP - BOTTOM;
const MOST_TICKS = 8;
/** Greys and hues that stand out from white and from black alike. */
const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #6b7280 }
  .title { font-size: 14px; font-weight: 600; fill: #4b7fd0 }
  .axis { stroke: #8b93a1; stroke-width: 1 }
  .grid { stroke: #8b93a1; stroke-opacity: .25 }
  .range { stroke: #8b93a1; stroke-width: 1.5; stroke-opacity: .6 }
  .night { fill: #2a9d6f }
  .level { stroke: #4b7fd0; stroke-width: 2 }
  .change { stroke: #e0503c; stroke-width: 1.5; stroke-dasharray: 4 3 }
  .aside { stroke: #b58a1b; stroke-width: 1.5; stroke-dasharray: 2 4 }`;

/**
 * The whole document: a panel for each series with its nights from left to right, the least and
 * greatest of a night's rounds, the median of the nights between changes, and each change.
 */
export function renderTrendPlot(trend: LoadTrend): string {
  const { nights, series } = printable(trend);
  const height = Math.max(1, series.length) * PANEL_HEIGHT;
  const body = series.map((one, at) => panelOf(one, nights, at * PANEL_HEIGHT)).join('\n');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="Latencies over ${plural(nights.length, 'night')}">
<style>${STYLE}
</style>
${body}
</svg>
`;
}

function panelOf(one: TrendSeries, nights: readonly string[], y: number): string {
  const values = (one.figure === 'ratio' ? one.ratios : one.valuesMs) ?? [];
  const known = values.filter((value) => value !== null);
  const ends = one.ranges.flatMap((range) => range ?? []);
  // From 0, so that a step looks as large as it is; one wild night in a hundred does not flatten it.
  const sorted = known.toSorted((a, b) => a - b);
  const usual = sorted[Math.floor(0.98 * (sorted.length - 1))] ?? 1;
  const most = 1.15 * Math.max(usual, Math.min(2 * usual, Math.max(0, ...known, ...ends)));
  const x = (night: number): string => short(LEFT + PLOT_WIDTH * placeOf(night, nights.length));
  const level = (value: number): string =>
    short(TOP + PLOT_HEIGHT * (1 - Math.min(1, value / most)));
  const unit = one.figure === 'ratio' ? 'by control' : 'ms';
  const marks = [
    ...changesOf(one, nights, 'shifts').map((night) => ({ night, kind: 'change' })),
    ...changesOf(one, nights, 'asides').map((night) => ({ night, kind: 'aside' })),
  ];
  const last = one.shifts.at(-1) ?? one.asides.at(-1);
  return [
    `<g transform="translate(0 ${y})">`,
    `<text class="title" x="${LEFT}" y="20">${escaped(cut(subjectName(one), 80))}: ${one.verdict}</text>`,
    `<text x="${LEFT}" y="38">${escaped(cut(last === undefined ? quietOf(one) : firstSentence(changeInWords(one, last)), 145))}</text>`,
    `<text x="${LEFT - 8}" y="${TOP + 4}" text-anchor="end">${short(most)}</text>`,
    `<text x="${LEFT - 8}" y="${TOP + PLOT_HEIGHT + 4}" text-anchor="end">0</text>`,
    legendOf(one, unit),
    ...ticksOf(nights).map(
      ({ night, label }) =>
        `<line class="grid" x1="${x(night)}" x2="${x(night)}" y1="${TOP}" y2="${TOP + PLOT_HEIGHT}"/><text x="${x(night)}" y="${TOP + PLOT_HEIGHT + 16}" text-anchor="middle">${escaped(label)}</text>`,
    ),
    ...marks.map(
      ({ night, kind }) =>
        `<line class="${kind}" x1="${x(night - 0.5)}" x2="${x(night - 0.5)}" y1="${TOP - 8}" y2="${TOP + PLOT_HEIGHT}"/>`,
    ),
    ...one.ranges.flatMap((range, night) =>
      range === null
        ? []
        : [
            `<line class="range" x1="${x(night)}" x2="${x(night)}" y1="${level(range[0])}" y2="${level(range[1])}"/>`,
          ],
    ),
    ...levelsOf(values, changesOf(one, nights, 'shifts')).map(
      ({ from, to, value }) =>
        `<line class="level" x1="${x(from)}" x2="${x(to)}" y1="${level(value)}" y2="${level(value)}"/>`,
    ),
    ...values.flatMap((value, night) =>
      value === null ? [] : [`<circle class="night" cx="${x(night)}" cy="${level(value)}" r="3"/>`],
    ),
    `<path class="axis" fill="none" d="M${LEFT} ${TOP}V${TOP + PLOT_HEIGHT}H${WIDTH - RIGHT}"/>`,
    '</g>',
  ].join('\n');
}

/** What the marks are; those that the panel does not have are left out. */
function legendOf(one: TrendSeries, unit: string): string {
  const words = [
    `<tspan style="fill:#2a9d6f">●</tspan> night, ${unit}`,
    ...(one.ranges.some((range) => range !== null) ? ['│ its rounds'] : []),
    ...(one.shifts.length === 0 ? [] : ['<tspan style="fill:#e0503c">┆</tspan> change']),
    ...(one.asides.length === 0
      ? []
      : ['<tspan style="fill:#b58a1b">┊</tspan> change of the milliseconds alone']),
  ];
  return `<text x="${WIDTH - RIGHT}" y="20" text-anchor="end" xml:space="preserve">${words.join('  ')}</text>`;
}

/** Without what follows on the control. */
function firstSentence(text: string): string {
  const end = text.indexOf('. ');
  return end < 0 ? text : text.slice(0, end + 1);
}

/** From 0 to 1; with room on both sides. */
function placeOf(night: number, nights: number): number {
  return (night + 0.5) / Math.max(1, nights);
}

function changesOf(
  one: TrendSeries,
  nights: readonly string[],
  which: 'shifts' | 'asides',
): number[] {
  return one[which].map(({ since }) => nights.indexOf(since)).filter((night) => night >= 0);
}

/** The median of the nights between two changes. */
function levelsOf(
  values: readonly (number | null)[],
  changes: readonly number[],
): { from: number; to: number; value: number }[] {
  const begins = [0, ...changes];
  return begins.flatMap((from, at) => {
    const end = begins[at + 1] ?? values.length;
    const known = values.slice(from, end).filter((value) => value !== null);
    const value = known.toSorted((a, b) => a - b)[known.length >> 1];
    return value === undefined ? [] : [{ from, to: end - 1, value }];
  });
}

function quietOf({ spreadPercent, smallestPercent, nightsWatched }: TrendSeries): string {
  const spread = spreadPercent === undefined ? '' : `, spread ${short(spreadPercent)} %`;
  const least =
    smallestPercent === undefined
      ? ''
      : `; ${short(smallestPercent)} % would be seen in ten nights`;
  return `${plural(nightsWatched, 'night')} without a change${spread}${least}`;
}

function ticksOf(nights: readonly string[]): { night: number; label: string }[] {
  const step = Math.max(1, Math.ceil(nights.length / MOST_TICKS));
  return nights.flatMap((night, at) =>
    at % step === 0 ? [{ night: at, label: dayOf(night) }] : [],
  );
}

function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
