/** Files and folders that need each other, for now. These lists may only shrink. */

/** A knot that is known, and what holds it together. */
export interface KnownKnot {
  readonly why: string;
  readonly members: readonly string[];
}

export const KNOWN_FILES: readonly KnownKnot[] = [
  {
    why: 'one table has the types of all tasks, and tasks read what others leave; the table should be cut by command',
    members: [
      'cli/history/prune-history.ts',
      'cli/record/record-files.ts',
      'cli/record/record-names.ts',
      'cli/report/report-page.ts',
      'cli/tasks/compare-runs.ts',
      'cli/tasks/differences.ts',
      'cli/tasks/index.ts',
      'cli/tasks/judge-record.ts',
      'cli/tasks/judge.ts',
      'cli/tasks/load/prepare.ts',
      'cli/tasks/page.ts',
      'cli/tasks/read-report.ts',
      'cli/tasks/release/certified-files.ts',
      'cli/tasks/release/open-certificate.ts',
      'cli/tasks/release/release-run.ts',
      'cli/threads/task.ts',
    ],
  },
];

export const KNOWN_FOLDERS: readonly KnownKnot[] = [
  {
    why: 'commands, threads and tasks were one folder; the types of tasks hold them together',
    members: [
      'cli/check',
      'cli/history',
      'cli/limits',
      'cli/load',
      'cli/record',
      'cli/report',
      'cli/tasks',
      'cli/tasks/load',
      'cli/tasks/release',
      'cli/threads',
    ],
  },
];
