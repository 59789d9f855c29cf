/** A plot of a load run over time: latency, rates, errors by reason, what was on its way; one SVG, no scripts. */

import { reasonWords } from '../../contracts/run/load/fates.ts';
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
} from './plot-panel.ts';
import { cut, printable } from '../text.ts';
import { shade } from './warm-up-shade.ts';
import { heatPanel } from './heat-panel.ts';
import { servedPanel } from './served-panel.ts';

const BOX: PanelBox = { height: 220, left: 84, right: 20, top: 48, bottom: 36 };
const PLOTTED_WIDTH: number = PLOT_WIDTH - BOX.left - BOX.right;

const LATENCY_HUES = { p50: HUES.green, p95: HUES.yellow, p99: HUES.red } as const;
const RATE_HUES = { offered: HUES.grey, admitted: HUES.green, throttled: HUES.yellow } as const;
/** Of reasons for errors, the most frequent first; others share the last. */
const REASON_HUES = [HUES.red, HUES.blue, HUES.green, HUES.grey] as const;
const THIN: PanelBox = { ...BOX, height: 108 };

const STYLE = `
  .step { stroke: ${HUES.grey}; stroke-opacity: .6; stroke-dasharray: 3 3 }
  .line { fill: none; stroke-width: 1.6; stroke-linejoin: round }
  .heat { fill: ${HUES.blue} }`;

/** One line of a panel. */
interface Line {
  readonly name: string;
  readonly hue: string;
  /** Undefined if nothing was measured: the line has a gap there. */
  readonly valueOf: (moment: LoadMoment) => number | undefined;
}

interface LinePanel {
  readonly title: string;
  readonly unit: string;
  readonly lines: readonly Line[];
  readonly box?: PanelBox;
}

type Counted = 'offered' | 'throttled' | 'errors' | 'violations';

const perSecond =
  (name: Counted) =>
  (moment: LoadMoment): number =>
    moment[name] / moment.seconds;

/** The whole document. What was not measured has no panel. */
export function renderLoadPlot(given: RunLoad): string {
  const load = printable(given);
  const label = 'Load: latency, rates, errors and wrong answers over time';
  const seconds = secondsOf(load.moments);
  const heat = heatPanel(load.moments, seconds, timeAxis(load, BOX), BOX);
  const panels = [
    ...heat,
    ...panelsOf(load, heat.length > 0).map((panel) => panelOf(panel, load)),
    ...servedPanel(load, BOX),
  ];
  const titled = panels.map((panel, at) =>
    at === 0 ? { ...panel, title: `${cut(load.scenario, 80)}: ${panel.title}` } : panel,
  );
  return plotDocument(label, STYLE, BOX, titled);
}

function panelsOf({ moments, engine, judged }: RunLoad, isHeated: boolean): LinePanel[] {
  const from =
    engine.name === 'autocannon'
      ? 'from sending: in a closed loop each connection waits for its answer before it sends again'
      : 'from when each should have been sent';
  const thin = (
    title: string,
    unit: string,
    { hue = HUES.blue, ...line }: Omit<Line, 'hue'> & Partial<Line>,
    isMeasured = moments.some((moment) => line.valueOf(moment) !== undefined),
  ): LinePanel[] => (isMeasured ? [{ title, unit, lines: [{ ...line, hue }], box: THIN }] : []);
  const latency: LinePanel = {
    title: `Latency of served answers, ${from}`,
    unit: 'ms',
    lines: [
      { name: 'p50', hue: LATENCY_HUES.p50, valueOf: ({ p50Ms }) => p50Ms },
      { name: 'p95', hue: LATENCY_HUES.p95, valueOf: ({ p95Ms }) => p95Ms },
      { name: 'p99', hue: LATENCY_HUES.p99, valueOf: ({ p99Ms }) => p99Ms },
    ],
  };
  const failing: LinePanel[] = [
    {
      title: 'Errors by reason, and throttled answers, a second',
      unit: '/s',
      lines: [
        ...errorLines(moments),
        { name: 'throttled', hue: RATE_HUES.throttled, valueOf: perSecond('throttled') },
      ],
    },
    ...thin('Lag of the generator', 'ms', {
      name: 'worst',
      valueOf: ({ worstLagMs }) => worstLagMs,
    }),
  ];
  const others: LinePanel[] = [
    {
      title: 'Requests a second',
      unit: '/s',
      lines: [
        { name: 'offered', hue: RATE_HUES.offered, valueOf: perSecond('offered') },
        {
          name: 'served',
          hue: RATE_HUES.admitted,
          // Of records of earlier versions nobody knows when answers came.
          valueOf: ({ answered, admitted, seconds }) => (answered ?? admitted) / seconds,
        },
      ],
    },
    ...thin('Requests on their way at once', '', {
      name: 'on average',
      valueOf: ({ requestSeconds, seconds }) => requestSeconds && requestSeconds / seconds,
    }),
    ...thin(
      'Wrong answers a second, of those that were judged',
      '/s',
      { name: 'wrong answers', hue: HUES.red, valueOf: perSecond('violations') },
      judged.answers > 0,
    ),
  ];
  // What failed stands right below the latencies, on the same axis.
  return isHeated ? [...failing, latency, ...others] : [latency, ...failing, ...others];
}

/** A line for each of the most frequent reasons, and one for the rest; for all alike if nobody knows any. */
function errorLines(moments: readonly LoadMoment[]): Line[] {
  const counts = new Map<string, number>();
  for (const [reason, count] of moments.flatMap(({ byReason = {} }) => Object.entries(byReason))) {
    counts.set(reason, (counts.get(reason) ?? 0) + count);
  }
  const inOrder = [...counts].sort(([, a], [, b]) => b - a).map(([reason]) => reason);
  const isKnown = moments.every(({ errors, byReason }) => errors === 0 || byReason !== undefined);
  if (!isKnown || inOrder.length === 0) {
    return [{ name: 'errors', hue: HUES.red, valueOf: perSecond('errors') }];
  }
  const isAll = inOrder.length <= REASON_HUES.length;
  const named = inOrder.slice(0, isAll ? inOrder.length : REASON_HUES.length - 1);
  const groups = [
    ...named.map((reason) => ({ name: reasonWords(reason), of: [reason] })),
    ...(isAll ? [] : [{ name: 'other errors', of: inOrder.slice(named.length) }]),
  ];
  return groups.map(({ name, of }, at) => ({
    name: cut(name, 30),
    hue: REASON_HUES[at] ?? HUES.grey,
    valueOf: ({ byReason = {}, seconds }) =>
      of.reduce((sum, reason) => sum + (byReason[reason] ?? 0), 0) / seconds,
  }));
}

function panelOf({ title, unit, lines, box = BOX }: LinePanel, load: RunLoad): Panel {
  const { moments } = load;
  const seconds = secondsOf(moments);
  const values = moments.flatMap((moment) => lines.map(({ valueOf }) => valueOf(moment) ?? 0));
  const most = roundUp(values.reduce((sum, value) => Math.max(sum, value), 0));
  const x = (second: number): string => across(box, second / seconds);
  const y = (value: number): string => upwards(box, value / most);
  const shares = box === THIN ? [0, 1] : [0, 0.25, 0.5, 0.75, 1];
  return {
    ...{ title, box },
    legend: lines.map(({ name, hue }) => `${sign(hue)} ${escaped(name)}`).join('  '),
    body: [
      ...shares.map((share) => {
        const value = most * share;
        const line = `<line class="grid" x1="${box.left}" x2="${PLOT_WIDTH - box.right}" y1="${y(value)}" y2="${y(value)}"/>`;
        return line + level(box, share, `${short(value)} ${unit}`);
      }),
      ...timeAxis(load, box),
      ...lines.map((line) => lineOf(line, moments, x, y)),
    ],
  };
}

function secondsOf(moments: readonly LoadMoment[]): number {
  return moments.reduce((most, one) => Math.max(most, one.second + one.seconds), 1);
}

function timeAxis(load: RunLoad, box: PanelBox): string[] {
  const seconds = secondsOf(load.moments);
  const x = (second: number): string => across(box, second / seconds);
  const foot = box.height - box.bottom;
  return [
    ...ticksUpTo(seconds).map((one) => tick(box, one / seconds, `${short(one)} s`, false)),
    ...shade(x(load.warmUpSeconds ?? 0), box),
    ...load.steps
      .slice(1)
      .map(
        ({ beginsSeconds }) =>
          `<line class="step" x1="${x(beginsSeconds)}" x2="${x(beginsSeconds)}" y1="${box.top}" y2="${foot}"/>`,
      ),
    ...(box === BOX ? stepNames(load, x, seconds) : []),
  ];
}

/** Narrower steps have no room for their names. */
const MIN_NAMED_WIDTH = 60;

function stepNames(
  { steps }: RunLoad,
  x: (second: number) => string,
  wholeSeconds: number,
): string[] {
  // Of a run in rounds a step lasts for all of them, and is named if the first one has it.
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

/** A polyline through the middles of the moments, with gaps if nothing was measured. */
function lineOf(
  { hue, valueOf }: Line,
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
  return `<path class="line" stroke="${hue}" stroke-linecap="round" d="${polyline(points)}"/>`;
}
