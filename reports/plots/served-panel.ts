import { answeredPerSecond } from '../../contracts/run/load/answered-rate.ts';
import type { RunLoad } from '../../contracts/run/load/load-run.ts';
import {
  across,
  HUES,
  level,
  type Panel,
  type PanelBox,
  polyline,
  roundUp,
  short,
  sign,
  tick,
  upwards,
} from './plot-panel.ts';

/** Of what is offered more, a service that is not at its limit serves at least so much. */
const LEAST_GAIN = 0.5;
/** Steps of rates that are nearer are of one rate. */
const MORE = 1.05;
/** Fewer rates make no curve. */
const MIN_RATES = 3;

/** A step: both in requests a second. */
interface Point {
  readonly offered: number;
  /** That came within the step. */
  readonly served: number;
}

/** What was served against what was offered, step by step, with the rate at which the service stops keeping up. */
export function servedPanel(
  { steps, engine, keptUpPerSecond }: RunLoad,
  within: PanelBox,
): Panel[] {
  const box = { ...within, bottom: within.bottom + 14 };
  const isKnown = steps.some(({ answered }) => answered !== undefined);
  const points = steps
    .flatMap((step): Point[] => {
      const served = answeredPerSecond(step, step.seconds, isKnown);
      const { offeredPerSecond: offered } = step;
      return served === undefined || offered <= 0 ? [] : [{ offered, served }];
    })
    .toSorted((a, b) => a.offered - b.offered);
  const rates = new Set(points.map(({ offered }) => Math.round(offered)));
  if (engine.name === 'autocannon' || rates.size < MIN_RATES) return [];
  const most = roundUp(points.at(-1)?.offered ?? 1);
  const x = (value: number): string => across(box, value / most);
  const y = (value: number): string => upwards(box, value / most);
  const knee = keptUpPerSecond ?? kneeOf(points);
  const words = keptUpPerSecond === undefined ? 'hardly more is served beyond' : 'keeps up with';
  const at = points.map(({ offered, served }) => [x(offered), y(served)] as const);
  return [
    {
      title: 'Served against offered, by step',
      legend: `${sign(HUES.grey)} all that is offered  ${sign(HUES.green)} served`,
      box,
      axes: { across: 'offered, requests a second', upwards: '' },
      body: [
        ...[0, 0.5, 1].flatMap((share) => [
          level(box, share, `${short(most * share)} /s`),
          tick(box, share, short(most * share)),
        ]),
        `<path class="line" stroke="${HUES.grey}" stroke-dasharray="4 4" d="M${x(0)} ${y(0)}L${x(most)} ${y(most)}"/>`,
        `<path class="line" stroke="${HUES.green}" d="${polyline(at)}"/>`,
        ...at.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="3" fill="${HUES.green}"/>`),
        ...(knee === undefined
          ? []
          : [
              `<line class="step" x1="${x(knee)}" x2="${x(knee)}" y1="${box.top}" y2="${box.height - box.bottom}"/>`,
              `<text x="${x(knee)}" y="${box.top - 6}" text-anchor="middle">${words} ${short(knee)}/s</text>`,
            ]),
      ],
    },
  ];
}

/** The rate beyond which less than half of what is offered more is served, at each higher rate; undefined if there is none. */
function kneeOf(points: readonly Point[]): number | undefined {
  return points.find(({ offered: from, served }, at) => {
    const higher = points.slice(at + 1).filter(({ offered }) => offered > MORE * from);
    const gains = higher.map((one) => (one.served - served) / (one.offered - from));
    return gains.length > 0 && gains.every((gain) => gain < LEAST_GAIN);
  })?.offered;
}
