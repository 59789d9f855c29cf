import { existsSync } from 'node:fs';
import { dirname, join, resolve, basename } from 'node:path';
import type { LoadBaseline, LoadTrend } from '../../../contracts/run/load/load-trend.ts';
import { given, omit } from '../../../contracts/wire/json.ts';
import { parseThreshold } from '../../../contracts/run/load/threshold.ts';
import { heldOnSlower } from '../../../load/thresholds.ts';
import {
  compareWithHistory,
  compareWithRecord,
  lookAtBaseline,
  trendWithout,
} from '../../../load/trend/compare-with-history.ts';
import { HistoryUnreadable, readHistory } from '../../../load/trend/history.ts';
import { slowerCount } from '../../../load/trend/slower.ts';
import { renderTrendPlot } from '../../../reports/plots/trend-plot.ts';
import { withoutSecrets } from '../../safe-text.ts';
import { readLoad, TREND_PLOT_FILE, writeLoad } from '../../record/load-record.ts';
import { writeWhole } from '../../record/write-whole.ts';
import { tool } from '../../package.ts';
import type { RunSetting } from '../../run-setting.ts';
import { basisNoticeTask } from '../sound-record.ts';

/** What was seen of the baseline before anything was sent. */
export interface SeenBaseline extends Pick<LoadBaseline, 'run' | 'startedAt'> {
  /** What nothing covers of it, as a sentence. */
  readonly notice?: string;
}

/** Where earlier runs are that a run is compared with. */
export interface EarlierRuns {
  /** A folder that holds a record in each of its folders. */
  readonly history?: string;
  /** The record of one run. */
  readonly baseline?: string;
}

/** What looking at earlier runs takes. */
export interface LookAtEarlierInput {
  readonly earlier: EarlierRuns;
  /** Folder of the record that is going to be. */
  readonly recordDir: string;
}

/**
 * Looks whether earlier runs can be read, so that nobody learns after an hour of load that they cannot.
 * A history that the record of this run begins is none yet.
 *
 * @throws HistoryUnreadable
 * @throws RecordAltered when the baseline is not as its run left it
 */
export async function lookAtEarlierTask({
  earlier: { history, baseline },
  recordDir,
}: LookAtEarlierInput): Promise<SeenBaseline | undefined> {
  const begins = (dir: string): boolean =>
    !existsSync(dir) && resolve(dir) === dirname(resolve(recordDir));
  if (history !== undefined && !begins(history)) readHistory(history);
  if (baseline === undefined) return undefined;
  const notice = await basisNoticeTask({ dir: baseline });
  return { ...lookAtBaseline(baseline), ...given({ notice }) };
}

/** What comparing a run with earlier ones takes. */
export interface CompareLoadInput extends LookAtEarlierInput {
  readonly recordId: string;
  readonly setting: Pick<RunSetting, 'startedAt' | 'target'>;
  /** Those on `slower`, as they are written. */
  readonly thresholds: readonly string[];
  readonly seen?: SeenBaseline;
  /** Why the earlier runs cannot be read after all; they are read when absent. */
  readonly unread?: string;
}

/**
 * Compares the load of a record with earlier runs: what comes of it becomes part of the record, so that
 * judging the record again needs none of them. A comparison that cannot be made is reported there.
 */
export function compareLoadTask(input: CompareLoadInput): void {
  const { earlier, recordDir, recordId, setting, thresholds } = input;
  const record = readLoad(recordDir);
  if (record?.load === undefined) return;
  const { load } = record;
  const { startedAt, target } = setting;
  const run = {
    ...{ startedAt: startedAt.toISOString(), complete: true, tool: tool(), target, load },
    record: { id: recordId },
  };
  const trend = earlier.history === undefined ? undefined : trendOf(run, earlier.history, input);
  const baseline =
    earlier.baseline === undefined ? undefined : baselineOf(run, earlier.baseline, input);
  const compared = { ...load, ...given({ trend, baseline }) };
  const count = slowerCount(compared);
  const held = thresholds.flatMap((text) =>
    count === undefined ? [] : [heldOnSlower(parseThreshold(text), count)],
  );
  writeLoad(recordDir, {
    ...record,
    load: { ...compared, thresholds: [...load.thresholds, ...held] },
  });
  if (trend !== undefined && trend.series.length > 0) {
    writeWhole(join(recordDir, TREND_PLOT_FILE), renderTrendPlot(trend));
  }
}

function trendOf(run: object, history: string, input: CompareLoadInput): LoadTrend {
  const dir = resolve(input.recordDir);
  const own = resolve(history) === dirname(dir) ? basename(dir) : undefined;
  const trend = unlessUnread(
    input.unread,
    () => compareWithHistory(run, history, own),
    (why) => trendWithout(`This run was not compared with earlier ones: ${why}`),
  );
  return {
    ...trend,
    refused: trend.refused.map(withoutSecrets),
    leftOut: trend.leftOut.map(({ run: name, reason }) => ({
      run: withoutSecrets(name),
      reason: withoutSecrets(reason),
    })),
    notes: trend.notes.map(withoutSecrets),
  };
}

function baselineOf(run: object, dir: string, { seen, unread }: CompareLoadInput): LoadBaseline {
  const baseline = unlessUnread(
    unread,
    () => compareWithRecord(run, dir),
    (why): LoadBaseline => ({
      ...{ run: basename(resolve(dir)), startedAt: '1970-01-01T00:00:00Z' },
      ...(seen === undefined ? {} : omit(seen, 'notice')),
      ...{ refused: [`The baseline was not compared: ${why}`], notes: [], confidence: 0, rows: [] },
    }),
  );
  return {
    ...baseline,
    run: withoutSecrets(baseline.run),
    refused: baseline.refused.map(withoutSecrets),
    notes: [...(seen?.notice === undefined ? [] : [seen.notice]), ...baseline.notes].map(
      withoutSecrets,
    ),
  };
}

/** They were read before the run; somebody may have taken them away since. */
function unlessUnread<T>(
  unread: string | undefined,
  compare: () => T,
  without: (why: string) => T,
): T {
  if (unread !== undefined) return without(unread);
  try {
    return compare();
  } catch (error) {
    if (error instanceof HistoryUnreadable) return without(error.message);
    throw error;
  }
}
