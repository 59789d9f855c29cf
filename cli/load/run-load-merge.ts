import { resolve } from 'node:path';
import { apisWithUrl } from '../../contracts/run/apis-of-run.ts';
import { given, listOf } from '../../contracts/wire/json.ts';
import { readConfig } from '../config.ts';
import { processStartedMs, runTimes } from '../../target/budget/run-times.ts';
import { placedParts } from '../../load/merge/part.ts';
import { isClusterFolder } from '../tasks/load/cluster-plan.ts';
import { type ExitCode, UsageError } from '../exit-code.ts';
import { onInterruption } from '../interruption.ts';
import {
  endOfWhole,
  type PartRun,
  partOf,
  settingOfWhole,
  thresholdsOfWhole,
} from '../tasks/load/load-parts.ts';
import { writeLoad } from '../record/load-record.ts';
import { MergeThreads, notMerged } from './merge-threads.ts';
import { newRecordFolder } from '../record/record-folder.ts';
import { JUDGE_SECONDS } from '../judge/run-judge.ts';
import { beginRun, type RunUnderWay } from '../run/run-under-way.ts';
import { showingOf } from '../show.ts';

/** Flags that mean something if nothing is sent. */
const FOR_MERGING: readonly string[] = [
  ...['merge', 'threshold', 'config', 'env', 'label', 'out', 'maxSeconds', 'maxRecordBytes'],
  ...['verbose', 'quiet', 'json', 'annotations'],
];

/**
 * Adds up the records of the parts of a load run, and judges the whole. Nothing is sent.
 *
 * @param flags those that somebody gave, defaults left out
 */
export async function mergeParts(flags: Readonly<Record<string, unknown>>): Promise<ExitCode> {
  refuseOtherFlags(flags);
  const cwd = process.cwd();
  const config = await readConfig({
    flags: { maxSeconds: String(JUDGE_SECONDS), ...flags },
    env: {},
    cwd,
    defaultSeed: 0,
  });
  const { waivers, maxRecordBytes, load: written } = config;
  const times = runTimes(processStartedMs(), config.maxSeconds, 0);
  const named = listOf(flags.merge) as readonly string[];
  const cluster = named.find((name) => isClusterFolder(resolve(cwd, name)));
  if (cluster !== undefined) {
    if (named.length > 1) {
      throw new UsageError(
        `${cluster} is the folder of a run in a cluster, which holds the samples of all parts: give it alone`,
      );
    }
    const { mergeSamples } = await import('./run-merge-samples.ts');
    return await mergeSamples({ name: cluster, flags, config, times });
  }
  const threads = new MergeThreads(times);
  let run: RunUnderWay | undefined;
  const leave = (): void => {
    threads.leave();
    run?.leave();
  };
  const interruption = onInterruption(leave, leave);
  try {
    const found: PartRun[] = [];
    for (const name of named) {
      const dir = resolve(cwd, name);
      const { run: judged } = await threads.judgedAgain(dir, waivers, config.rules);
      found.push(partOf(name, dir, judged));
    }
    // Before there is a record.
    const parts = placedParts(found);
    const setting = settingOfWhole(parts, config);
    const contractsOf = parts[0]?.dir ?? '';
    const asked = listOf(flags.threshold) as readonly string[];
    const thresholds = thresholdsOfWhole(parts, asked, written);
    const load = await threads.run('merge-loads', {
      ...{ contractsOf, thresholds, setting },
      parts: parts.map(({ index, load: own }) => ({ index, load: own })),
      apis: apisWithUrl(setting),
    });
    const recordDir = config.out ?? newRecordFolder(cwd, new Date());
    const showing = showingOf(flags);
    run = await beginRun({
      ...{ recordDir, config, setting, times, showing, flags, contractsOf, kind: 'load' },
    });
    writeLoad(recordDir, {});
    const { recordId } = run;
    const kept = await threads.run('merge-exchanges', {
      ...{ recordDir, recordId, maxRecordBytes, load },
      parts: parts.map(({ index, dir, run: { record } }) => ({
        ...{ index, dir, recordId: record.id },
        head: record.head ?? '',
      })),
    });
    const end = endOfWhole(parts);
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

function refuseOtherFlags(flags: Readonly<Record<string, unknown>>): void {
  const other = Object.keys(flags).find((name) => !FOR_MERGING.includes(name));
  if (other === undefined) return;
  const flag = other.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  throw new UsageError(
    `--merge adds up records and sends nothing, so --${flag} has no meaning beside it: leave it out`,
  );
}
