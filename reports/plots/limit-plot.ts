/** A plot of what a limit probe sent, and what the fitted model says was left: one SVG, no scripts. */

import type { LimitPanel } from '../../contracts/run/load/limit-panel.ts';
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
  ticksUpTo,
  upwards,
} from './plot-panel.ts';
import { cut, plural } from '../text.ts';

const BOX: PanelBox = { height: 258, left: 56, right: 20, top: 56, bottom: 48 };
/** What of a target's name there is room for. */
const MAX_OF_TARGET = 50;
const MAX_TARGETS = 2;
const STYLE = `
  .model { fill: ${HUES.grey}; fill-opacity: .22; stroke: ${HUES.grey}; stroke-width: 1.2 }
  .admitted { fill: ${HUES.green} }
  .rejected { stroke: ${HUES.red}; stroke-width: 2; fill: none }
  .failed { fill: none; stroke: ${HUES.yellow}; stroke-width: 1.5 }`;

/** Whose limits they are, and since when. */
export interface PlotSubject {
  /** Base URLs or names, as reports show them. */
  readonly targets: readonly string[];
  /** When the run began, ISO 8601. */
  readonly startedAt: string;
}

/** The whole document. */
export function renderLimitPlot(panels: readonly LimitPanel[], subject: PlotSubject): string {
  const label = 'Rate limits: requests and the fitted model';
  return plotDocument(label, STYLE, BOX, panels.map(panelOf), footOf(subject));
}

/** `http://127.0.0.1:4300 · 2026-01-02 03:04:05 UTC`. */
function footOf({ targets, startedAt }: PlotSubject): string {
  const at = startedAt.slice(0, 19).replace('T', ' ');
  const shown = targets.map((one) => cut(one, MAX_OF_TARGET)).slice(0, MAX_TARGETS);
  return [...shown, `${at} UTC`].join(' · ');
}

function panelOf(panel: LimitPanel): Panel {
  const { title, found, events, levels } = panel;
  const seconds = events.reduce((most, { atSeconds }) => Math.max(most, atSeconds), 1e-3);
  const most =
    levels.length > 0
      ? levels.reduce((max, { left }) => Math.max(max, left), 1)
      : Math.max(1, heap(events));
  const x = (atSeconds: number): string => across(BOX, atSeconds / seconds);
  const y = (left: number): string => upwards(BOX, left / most);
  const heights = heightsOf(panel);
  return {
    ...{ title, words: found, legend: legend(panel) },
    axes: {
      across: 'seconds since the first request',
      upwards: levels.length > 0 ? 'requests left' : 'admitted in a row',
    },
    body: [
      ...ticksUpTo(seconds).map((at) => tick(BOX, at / seconds, `${short(at)} s`)),
      ...[level(BOX, 1, short(most)), level(BOX, 0, '0')],
      ...(levels.length === 0 ? [] : [modelPath(panel, x, y, seconds)]),
      ...events.map(({ atSeconds, outcome }, at) =>
        mark(outcome, x(atSeconds), y(heights[at] ?? 0)),
      ),
    ],
  };
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
    `${sign(HUES.green)} ${count('admitted')} admitted`,
    `${sign(HUES.red, '×')} ${count('rejected')} rejected`,
    ...(failed === 0 ? [] : [`${sign(HUES.yellow, '○')} ${failed} failed`]),
    ...(levels.length === 0 ? [] : ['▒ left by the fitted model']),
  ];
  return `${plural(events.length, 'request')}: ${words.join('  ')}`;
}
