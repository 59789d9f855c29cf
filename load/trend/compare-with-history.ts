import type { LoadBaseline, LoadTrend } from '../../contracts/load-trend.ts';
import { unfit } from './comparable.ts';
import { compareWithBaseline } from './compare-baseline.ts';
import { historyOf, HistoryUnreadable, readBaseline, readHistory } from './history.ts';
import { judgeTrend } from './judge-trend.ts';
import type { Night } from './night.ts';
import type { CountedLatencies } from './quantile-interval.ts';
import { readNight } from './read-night.ts';

/**
 * A load run among the earlier ones of a folder. Takes up to a second for forty series of 120 nights.
 *
 * @param run what its `run.json` will hold
 * @param dir holds a record in each of its folders; the record of this run may be one of them
 * @throws HistoryUnreadable when the folder cannot be read
 */
export function compareWithHistory(run: object, dir: string): LoadTrend {
  const night = ownNight(run);
  const reason = unfit(night);
  const history = historyOf(night, readHistory(dir));
  if (reason === undefined) return judgeTrend(history);
  return {
    ...judgeTrend({ ...history, nights: [] }),
    refused: [`This run cannot be compared with earlier ones: ${reason}.`],
    series: [],
  };
}

/**
 * A load run against one other.
 *
 * @param run what its `run.json` will hold
 * @param dir the record of the baseline
 * @param decode a histogram of a run record, e.g. `LatencyHistogram.decode`
 * @throws HistoryUnreadable when the folder is no record of a load run, or its histogram is none
 */
export function compareWithRecord(
  run: object,
  dir: string,
  decode: (histogram: string) => CountedLatencies,
): LoadBaseline {
  const baseline = readBaseline(dir);
  return compareWithBaseline(ownNight(run), baseline, (histogram) => {
    try {
      return decode(histogram);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new HistoryUnreadable(
        `${dir} cannot be the baseline: one of the two histograms cannot be read (${why}). Name the record of an earlier run of assay load.`,
      );
    }
  });
}

/** Assay wrote it: what is wrong with it is a fault of Assay. */
function ownNight(run: object): Night {
  const read = readNight(run, 'this run');
  if (read.kind === 'night') return read.night;
  throw new Error(
    `This run cannot be read as one: ${read.kind === 'no-load' ? 'it has no load' : read.reason}`,
  );
}
