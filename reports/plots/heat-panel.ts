import { endOfClass } from '../../contracts/run/load/latency-classes.ts';
import type { LoadMoment } from '../../contracts/run/load/load-run.ts';
import {
  across,
  HUES,
  level,
  type Panel,
  type PanelBox,
  short,
  sign,
  upwards,
} from './plot-panel.ts';

/** Columns of the heatmap: more are no wider than a pixel or two, and make the page large. */
const MAX_COLUMNS = 160;

/** Where the latencies of served answers lie, over time: the darker, the more of the moment. */
export function heatPanel(
  moments: readonly LoadMoment[],
  seconds: number,
  axis: readonly string[],
  box: PanelBox,
): Panel[] {
  const each = Math.ceil(moments.length / MAX_COLUMNS);
  const columns = Array.from({ length: Math.ceil(moments.length / Math.max(1, each)) }, (_, at) =>
    moments.slice(at * each, (at + 1) * each),
  );
  const used = moments.flatMap(({ byLatency = [] }) =>
    byLatency.flatMap((count, at) => (count > 0 ? [at] : [])),
  );
  if (used.length === 0) return [];
  const lowest = used.reduce((least, at) => Math.min(least, at), Infinity);
  const highest = used.reduce((most, at) => Math.max(most, at), 0) + 1;
  const share = (at: number): number => (at - lowest) / (highest - lowest);
  const cells = columns.flatMap((some) => {
    const [first, last] = [some[0], some.at(-1)];
    const lists = some.map(({ byLatency = [] }) => byLatency);
    const total = lists.flat().reduce((sum, count) => sum + count, 0);
    if (first === undefined || last === undefined || total === 0) return [];
    const [from, to] = [first.second / seconds, (last.second + last.seconds) / seconds];
    const width = short(Number(across(box, to)) - Number(across(box, from)));
    return Array.from({ length: highest }, (_, at) => {
      const count = lists.reduce((sum, list) => sum + (list[at] ?? 0), 0);
      if (count === 0) return '';
      const [top, foot] = [upwards(box, share(at + 1)), upwards(box, share(at))];
      const shade = short(0.15 + 0.85 * Math.sqrt(count / total));
      return `<rect class="heat" x="${across(box, from)}" y="${top}" width="${width}" height="${short(Number(foot) - Number(top))}" fill-opacity="${shade}"/>`;
    });
  });
  const step = Math.max(1, Math.ceil((highest - lowest) / 5));
  const levels = Array.from({ length: Math.floor((highest - lowest) / step) + 1 }, (_, nth) => {
    const at = lowest + nth * step;
    return level(box, share(at), at === 0 ? '0 ms' : `${few(endOfClass(at - 1))} ms`);
  });
  return [
    {
      title: 'Where latencies of served answers lie',
      legend: `${sign(HUES.blue, '■')} the darker, the more answers`,
      body: [...cells, ...levels, ...axis],
    },
  ];
}

/** With the digits that an axis needs: classes end at powers of the root of 2. */
function few(ms: number): string {
  return short(ms < 10 ? ms : Math.round(ms));
}
