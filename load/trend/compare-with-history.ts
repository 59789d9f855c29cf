import type { LoadBaseline, LoadTrend } from '../../contracts/run/load/load-trend.ts';
import { NotAHistogram } from '../samples/hdr-text.ts';
import { LatencyHistogram } from '../samples/latency-histogram.ts';
import { difference, unfit } from './comparable.ts';
import { compareWithBaseline } from './compare-baseline.ts';
import { historyOf, HistoryUnreadable, readBaseline, readHistory } from './history.ts';
import { type History, judgeTrend } from './judge-trend.ts';
import type { Night } from './night.ts';
import { readNight } from './read-night.ts';

/**
 * A load run among the earlier ones of a folder. Takes up to a second for forty series of 120 nights.
 * If there are runs that count and none of them can be set beside this one, it is refused, as that
 * is no first night.
 *
 * @param run what its `run.json` will hold
 * @param dir holds a record in each of its folders; the record of this run may be one of them
 * @param own name of the folder of this run, if it is one of them
 * @throws HistoryUnreadable when the folder cannot be read
 */
export function compareWithHistory(run: object, dir: string, own?: string): LoadTrend {
  const night = ownNight(run);
  const reason = unfit(night);
  const read = readHistory(dir, own);
  const history = historyOf(night, read);
  if (reason !== undefined) {
    return refused(history, `This run cannot be compared with earlier ones: ${reason}.`);
  }
  if (history.nights.length > 1) return judgeTrend(history);
  const others = read.nights.flatMap((other) => {
    const why = unfit(other) === undefined ? difference(night, other) : undefined;
    return why === undefined || other.id === night.id ? [] : [{ run: other.run, why }];
  });
  const last = others.at(-1);
  if (last === undefined) return judgeTrend(history);
  const none =
    others.length === 1
      ? `The only earlier run, ${last.run}, cannot be compared with this one`
      : `None of ${others.length} earlier runs can be compared with this one; the newest is ${last.run}`;
  return refused(history, `${none}: ${last.why}.`);
}

/** What is said of a run in place of its trend if earlier runs could not be read. */
export function trendWithout(why: string): LoadTrend {
  return refused({ nights: [], leftOut: [], leftOutMore: 0, notes: [] }, why);
}

function refused(history: History, why: string): LoadTrend {
  return { ...judgeTrend({ ...history, nights: [] }), refused: [why], series: [] };
}

/**
 * A load run against one other.
 *
 * @param run what its `run.json` will hold
 * @param dir the record of the baseline
 * @throws HistoryUnreadable when the folder is no record of a load run, or its histogram is none
 */
export function compareWithRecord(run: object, dir: string): LoadBaseline {
  const baseline = readBaseline(dir);
  return withHistograms(dir, () => compareWithBaseline(ownNight(run), baseline));
}

/**
 * The record that is to be the baseline, looked at beforehand.
 *
 * @throws HistoryUnreadable when it cannot be one
 */
export function lookAtBaseline(dir: string): Pick<LoadBaseline, 'run' | 'startedAt'> {
  const { run, startedAt, load } = readBaseline(dir);
  const { latency, histogram } = load.whole;
  if (latency.count > 0) withHistograms(dir, () => LatencyHistogram.decode(histogram));
  return { run, startedAt };
}

function withHistograms<T>(dir: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof NotAHistogram)) throw error;
    throw new HistoryUnreadable(
      `${dir} cannot be the baseline: one of the two histograms cannot be read (${error.message}). Name the record of an earlier run of assay load.`,
    );
  }
}

/** Assay wrote it: what is wrong with it is a fault of Assay. */
function ownNight(run: object): Night {
  const read = readNight(run, 'this run');
  if (read.kind === 'night') return read.night;
  throw new Error(`This run cannot be read as one: ${read.reason}`);
}
