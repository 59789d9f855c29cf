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

/** What a task needs is loaded for it alone. */
const TASKS: { readonly [Name in keyof Tasks]: () => Promise<Tasks[Name]> } = {
  configuration: async () => (await import('./configuration.ts')).configurationTask,
  prepare: async () => (await import('./prepare.ts')).prepareTask,
  drive: async () => (await import('./drive.ts')).driveTask,
  seal: async () => (await import('./seal.ts')).sealTask,
  judge: async () => (await import('./judge.ts')).judgeTask,
  'judge-again': async () => (await import('./judge.ts')).judgeAgainTask,
  limits: async () => (await import('./limits.ts')).limitsTask,
  load: async () => (await import('./load/load.ts')).loadTask,
  'operation-lines': async () => (await import('./operation-lines.ts')).operationLinesTask,
  'read-report': async () => (await import('./read-report.ts')).readReportTask,
  'look-at-earlier': async () => (await import('./load/compare-load.ts')).lookAtEarlierTask,
  'compare-load': async () => (await import('./load/compare-load.ts')).compareLoadTask,
  'look-at-baseline': async () => (await import('./compare-runs.ts')).lookAtBaselineTask,
  'compare-runs': async () => (await import('./compare-runs.ts')).compareRunsTask,
  'basis-notice': async () => (await import('./sound-record.ts')).basisNoticeTask,
  uncovered: async () => (await import('./sound-record.ts')).uncoveredTask,
  manifest: async () => (await import('./release/manifest.ts')).manifestTask,
  'merge-loads': async () => (await import('./load/merge.ts')).mergeLoadsTask,
  'merge-exchanges': async () => (await import('./load/merge.ts')).mergeExchangesTask,
  'merge-samples': async () => (await import('./load/merge-samples.ts')).mergeSamplesTask,
  'keep-samples': async () => (await import('./load/merge-samples.ts')).keepSamplesTask,
  page: async () => (await import('./page.ts')).pageTask,
  history: async () => (await import('./history/prune-history.ts')).pruneHistory,
  'release-run': async () => (await import('./release/release-run.ts')).releaseRunTask,
  'open-certificate': async () =>
    (await import('./release/open-certificate.ts')).openCertificateTask,
};

/** The name of a task. */
export type TaskName = keyof Tasks;
/** Plain data that a task takes. */
export type TaskInput<Name extends TaskName> = Parameters<Tasks[Name]>[0];
/** Plain data that it gives. */
export type TaskOutput<Name extends TaskName> = Awaited<ReturnType<Tasks[Name]>>;

/** Runs a task in this thread. */
export async function runTask<Name extends TaskName>(
  name: Name,
  input: TaskInput<Name>,
  setting: TaskSetting,
): Promise<unknown> {
  const task = (await TASKS[name]()) as (input: TaskInput<Name>, setting: TaskSetting) => unknown;
  return task(input, setting);
}
