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
  {
    why: 'what is wrong with a document is told with its place, and a document is refused by what is wrong with it',
    members: [
      'contracts/document/openapi/openapi-document.ts',
      'contracts/document/openapi/openapi-place.ts',
      'contracts/document/openapi/openapi-structure.ts',
      'contracts/document/openapi/openapi-validity.ts',
    ],
  },
  {
    why: 'the type of a request stands with the client that sends it',
    members: ['fixtures/target/transport/client.ts', 'fixtures/target/transport/outgoing.ts'],
  },
  {
    why: 'claims are told by one table that all of them read',
    members: [
      'load/limits/claims/header-claims.ts',
      'load/limits/claims/in-window-claims.ts',
      'load/limits/claims/remaining-claims.ts',
      'load/limits/claims/told-by-name.ts',
    ],
  },
  {
    why: 'the type of an estimate stands with what makes it',
    members: ['load/limits/estimate/estimate.ts', 'load/limits/estimate/replay.ts'],
  },
  {
    why: "the laboratory of hostile inputs and its records know each other's types",
    members: ['suites/service/hostile/base-records.ts', 'suites/service/hostile/lab.ts'],
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
  {
    why: 'the docs host publishes what the APIs are',
    members: ['fixtures/service/reference/apis', 'fixtures/service/reference/docs'],
  },
  {
    why: 'a job of an engine holds a scenario, and a scenario prepared requests',
    members: ['load/engines', 'load/scenarios'],
  },
  {
    why: 'the types of estimates stand with what makes them',
    members: [
      'load/limits/claims',
      'load/limits/estimate',
      'load/limits/models',
      'load/limits/planner',
    ],
  },
  {
    why: 'the page of a history is a page, and a page shows a history',
    members: ['reports/history', 'reports/html'],
  },
  {
    why: 'stages of the drive, relations and life cycles are one way through the service',
    members: ['suites/service/drive', 'suites/service/life-cycles', 'suites/service/relations'],
  },
];
