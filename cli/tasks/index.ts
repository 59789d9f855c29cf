import type { configurationTask } from './configuration.ts';
import type { pruneHistory } from './history/prune-history.ts';
import type { compareLoadTask, lookAtEarlierTask } from './load/compare-load.ts';
import type { compareRunsTask, lookAtBaselineTask } from './compare-runs.ts';
import type { basisNoticeTask, uncoveredTask } from './sound-record.ts';
import type { driveTask } from './drive.ts';
import type { limitsTask } from './limits.ts';
import type { loadTask } from './load/load.ts';
import type { manifestTask } from './release/manifest.ts';
import type { mergeExchangesTask, mergeLoadsTask } from './load/merge.ts';
import type { keepSamplesTask, mergeSamplesTask } from './load/merge-samples.ts';
import type { judgeAgainTask, judgeTask } from './judge.ts';
import type { operationLinesTask } from './operation-lines.ts';
import type { pageTask } from './page.ts';
import type { openCertificateTask } from './release/open-certificate.ts';
import type { prepareTask } from './prepare.ts';
import type { readReportTask } from './read-report.ts';
import type { releaseRunTask } from './release/release-run.ts';
import type { sealTask } from './seal.ts';
import type { TaskSetting } from './task-setting.ts';

/** The tasks that run in other threads, one at a time in each. */
interface Tasks {
  readonly configuration: typeof configurationTask;
  readonly prepare: typeof prepareTask;
  readonly drive: typeof driveTask;
  readonly seal: typeof sealTask;
  readonly judge: typeof judgeTask;
  readonly 'judge-again': typeof judgeAgainTask;
  readonly limits: typeof limitsTask;
  readonly load: typeof loadTask;
  readonly 'operation-lines': typeof operationLinesTask;
  readonly 'read-report': typeof readReportTask;
  readonly 'look-at-earlier': typeof lookAtEarlierTask;
  readonly 'compare-load': typeof compareLoadTask;
  readonly 'look-at-baseline': typeof lookAtBaselineTask;
  readonly 'compare-runs': typeof compareRunsTask;
  readonly 'basis-notice': typeof basisNoticeTask;
  readonly uncovered: typeof uncoveredTask;
  readonly manifest: typeof manifestTask;
  readonly 'merge-loads': typeof mergeLoadsTask;
  readonly 'merge-exchanges': typeof mergeExchangesTask;
  readonly 'merge-samples': typeof mergeSamplesTask;
  readonly 'keep-samples': typeof keepSamplesTask;
  readonly page: typeof pageTask;
  readonly history: typeof pruneHistory;
  readonly 'release-run': typeof releaseRunTask;
  readonly 'open-certificate': typeof openCertificateTask;
}

/** The name of a task. */
export type TaskName = keyof Tasks;
/** Plain data that a task takes. */
export type TaskInput<Name extends TaskName> = Parameters<Tasks[Name]>[0];
/** Plain data that it gives. */
export type TaskOutput<Name extends TaskName> = Awaited<ReturnType<Tasks[Name]>>;

/** Runs a task in this thread. What a task needs is loaded for it alone. */
export async function runTask(
  name: TaskName,
  input: TaskInput<TaskName>,
  setting: TaskSetting,
): Promise<unknown> {
  switch (name) {
    case 'configuration':
      return (await import('./configuration.ts')).configurationTask(
        input as TaskInput<'configuration'>,
      );
    case 'prepare':
      return (await import('./prepare.ts')).prepareTask(input as TaskInput<'prepare'>);
    case 'drive':
      return (await import('./drive.ts')).driveTask(input as TaskInput<'drive'>, setting);
    case 'seal':
      return (await import('./seal.ts')).sealTask(input as TaskInput<'seal'>);
    case 'judge':
      return (await import('./judge.ts')).judgeTask(input as TaskInput<'judge'>, setting);
    case 'judge-again':
      return (await import('./judge.ts')).judgeAgainTask(
        input as TaskInput<'judge-again'>,
        setting,
      );
    case 'limits':
      return (await import('./limits.ts')).limitsTask(input as TaskInput<'limits'>, setting);
    case 'manifest':
      return (await import('./release/manifest.ts')).manifestTask(
        input as TaskInput<'manifest'>,
        setting,
      );
    case 'merge-loads':
      return (await import('./load/merge.ts')).mergeLoadsTask(input as TaskInput<'merge-loads'>);
    case 'merge-exchanges':
      return (await import('./load/merge.ts')).mergeExchangesTask(
        input as TaskInput<'merge-exchanges'>,
        setting,
      );
    case 'merge-samples':
      return (await import('./load/merge-samples.ts')).mergeSamplesTask(
        input as TaskInput<'merge-samples'>,
        setting,
      );
    case 'keep-samples':
      return (await import('./load/merge-samples.ts')).keepSamplesTask(
        input as TaskInput<'keep-samples'>,
      );
    case 'load':
      return (await import('./load/load.ts')).loadTask(input as TaskInput<'load'>, setting);
    case 'operation-lines':
      return (await import('./operation-lines.ts')).operationLinesTask(
        input as TaskInput<'operation-lines'>,
      );
    case 'read-report':
      return (await import('./read-report.ts')).readReportTask(
        input as TaskInput<'read-report'>,
        setting,
      );
    case 'look-at-earlier':
      return (await import('./load/compare-load.ts')).lookAtEarlierTask(
        input as TaskInput<'look-at-earlier'>,
      );
    case 'compare-load':
      (await import('./load/compare-load.ts')).compareLoadTask(input as TaskInput<'compare-load'>);
      return undefined;
    case 'look-at-baseline':
      return (await import('./compare-runs.ts')).lookAtBaselineTask(
        input as TaskInput<'look-at-baseline'>,
      );
    case 'basis-notice':
      return (await import('./sound-record.ts')).basisNoticeTask(
        input as TaskInput<'basis-notice'>,
      );
    case 'uncovered':
      return (await import('./sound-record.ts')).uncoveredTask(input as TaskInput<'uncovered'>);
    case 'compare-runs':
      return (await import('./compare-runs.ts')).compareRunsTask(
        input as TaskInput<'compare-runs'>,
      );
    case 'page':
      return (await import('./page.ts')).pageTask(input as TaskInput<'page'>);
    case 'history':
      return (await import('./history/prune-history.ts')).pruneHistory(
        input as TaskInput<'history'>,
      );
    case 'release-run':
      return (await import('./release/release-run.ts')).releaseRunTask(
        input as TaskInput<'release-run'>,
        setting,
      );
    case 'open-certificate':
      return (await import('./release/open-certificate.ts')).openCertificateTask(
        input as TaskInput<'open-certificate'>,
      );
  }
}
