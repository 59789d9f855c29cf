import { resolve } from 'node:path';
import { given } from '../../contracts/wire/json.ts';
import { ownRulesOf, type TargetConfig } from '../../target/config/config-types.ts';
import type { RunTimes } from '../../target/budget/run-times.ts';
import type { ExitCode } from '../exit-code.ts';
import { onInterruption } from '../interruption.ts';
import { writeLoad } from '../record/load-record.ts';
import { MergeThreads, notMerged } from './merge-threads.ts';
import { newRecordFolder } from '../record/record-folder.ts';
import { beginRun, type RunUnderWay } from '../run/run-under-way.ts';
import { showingOf } from '../show.ts';

/** What the samples of a run in a cluster are merged with. */
export interface MergeSamplesOptions {
  /** The folder that `--k8s` wrote, to which the samples were copied; as the user gave it. */
  readonly name: string;
  readonly flags: Readonly<Record<string, unknown>>;
  readonly config: TargetConfig;
  readonly times: RunTimes;
}

/** Makes one record of the samples that the pods of a run in a cluster wrote. Nothing is sent. */
export async function mergeSamples(options: MergeSamplesOptions): Promise<ExitCode> {
  const { name, flags, config, times } = options;
  const cwd = process.cwd();
  const { waivers, labels, maxRecordBytes, load: written } = config;
  const threads = new MergeThreads(times);
  let run: RunUnderWay | undefined;
  const leave = (): void => {
    threads.leave();
    run?.leave();
  };
  const interruption = onInterruption(leave, leave);
  try {
    const { threshold } = flags;
    // Before there is a record.
    const { setting, load, exchanges, end } = await threads.run('merge-samples', {
      ...{ dir: resolve(cwd, name), name, written, waivers, labels },
      ...ownRulesOf(config),
      thresholds: Array.isArray(threshold) ? (threshold as readonly string[]) : [],
    });
    const recordDir = config.out ?? newRecordFolder(cwd, new Date());
    const showing = showingOf(flags);
    run = await beginRun({ recordDir, config, setting, times, showing, flags, kind: 'load' });
    writeLoad(recordDir, {});
    const { recordId } = run;
    const kept = await threads.run('keep-samples', {
      ...{ recordDir, recordId, maxRecordBytes, load, exchanges },
    });
    return await run.finish({
      ...end,
      cutShort: end.cutShort || kept.cutShort,
      notices: [...end.notices, ...kept.notices],
      ...given({ recorded: kept.recorded }),
    });
  } catch (error) {
    return notMerged(error);
  } finally {
    interruption.end();
  }
}
