/** A plot of latencies over nights: one SVG, no scripts. */

import type { LoadTrend, TrendSeries } from '../../contracts/run/load/load-trend.ts';
import { changeInWords, dayOf, subjectName } from '../terminal/terminal-trend.ts';
import {
  across,
  HUES,
  level,
  type Panel,
  type PanelBox,
  plotDocument,
  short,
  sign,
  tick,
  upwards,
} from './plot-panel.ts';
import { cut, plural, printable } from '../text.ts';

const BOX: PanelBox = { height: 230, left: 56, right: 20, top: 60, bottom: 36 };
const MAX_TICKS = 8;
const STYLE = `
  .range { stroke: ${HUES.grey}; stroke-width: 1.5; stroke-opacity: .6 }
  .night { fill: ${HUES.green} }
  .level { stroke: ${HUES.blue}; stroke-width: 2 }
  .change { stroke: ${HUES.red}; stroke-width: 1.5; stroke-dasharray: 4 3 }
  .aside { stroke: ${HUES.yellow}; stroke-width: 1.5; stroke-dasharray: 2 4 }`;

/**
 * The whole document: a panel for each series with its nights from left to right, the least and
 * greatest of a night's rounds, the median of the nights between changes, and each change.
 */
export function renderTrendPlot(trend: LoadTrend): string {
  const { nights, series } = printable(trend);
  const label = `Latencies over ${plural(nights.length, 'night')}`;
  const panels = series.map((one) => panelOf(one, nights));
  return plotDocument(label, STYLE, BOX, panels);
}

function panelOf(one: TrendSeries, nights: readonly string[]): Panel {
  const values = (one.figure === 'ratio' ? one.ratios : one.valuesMs) ?? [];
  const known = values.filter((value) => value !== null);
  const ends = one.ranges.flatMap((range) => range ?? []);
  // From 0, so that a step looks as large as it is; one wild night in a hundred does not flatten it.
  const sorted = known.toSorted((a, b) => a - b);
  const usual = sorted[Math.floor(0.98 * (sorted.length - 1))] ?? 1;
  const most = 1.15 * Math.max(usual, Math.min(2 * usual, Math.max(0, ...known, ...ends)));
  const x = (night: number): string => across(BOX, placeOf(night, nights.length));
  const y = (value: number): string => upwards(BOX, Math.min(1, value / most));
  const unit = one.figure === 'ratio' ? 'by control' : 'ms';
  const marks = [
    ...changesOf(one, nights, 'shifts').map((night) => ({ night, kind: 'change' })),
    ...changesOf(one, nights, 'asides').map((night) => ({ night, kind: 'aside' })),
  ];
  const last = one.shifts.at(-1) ?? one.asides.at(-1);
  const words = last === undefined ? quietOf(one) : firstSentence(changeInWords(one, last));
  const foot = BOX.height - BOX.bottom;
  return {
    title: `${cut(subjectName(one), 80)}: ${one.verdict}`,
    words: cut(words, 145),
    legend: legendOf(one, unit),
    body: [
      ...[level(BOX, 1, short(most)), level(BOX, 0, '0')],
      ...ticksOf(nights).map(({ night, label }) => tick(BOX, placeOf(night, nights.length), label)),
      ...marks.map(
        ({ night, kind }) =>
          `<line class="${kind}" x1="${x(night - 0.5)}" x2="${x(night - 0.5)}" y1="${BOX.top - 8}" y2="${foot}"/>`,
      ),
      ...one.ranges.flatMap((range, night) =>
        range === null
          ? []
          : [
              `<line class="range" x1="${x(night)}" x2="${x(night)}" y1="${y(range[0])}" y2="${y(range[1])}"/>`,
            ],
      ),
      ...levelsOf(values, changesOf(one, nights, 'shifts')).map(
        ({ from, to, value }) =>
          `<line class="level" x1="${x(from)}" x2="${x(to)}" y1="${y(value)}" y2="${y(value)}"/>`,
      ),
      ...values.flatMap((value, night) =>
        value === null ? [] : [`<circle class="night" cx="${x(night)}" cy="${y(value)}" r="3"/>`],
      ),
    ],
  };
}

/** What the marks are; those that the panel does not have are left out. */
function legendOf(one: TrendSeries, unit: string): string {
  const words = [
    `${sign(HUES.green)} night, ${unit}`,
    ...(one.ranges.some((range) => range !== null) ? ['│ its rounds'] : []),
    ...(one.shifts.length === 0 ? [] : [`${sign(HUES.red, '┆')} change`]),
    ...(one.asides.length === 0
      ? []
      : [`${sign(HUES.yellow, '┊')} change of the milliseconds alone`]),
  ];
  return words.join('  ');
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
  const step = Math.max(1, Math.ceil(nights.length / MAX_TICKS));
  return nights.flatMap((night, at) =>
    at % step === 0 ? [{ night: at, label: dayOf(night) }] : [],
  );
}
