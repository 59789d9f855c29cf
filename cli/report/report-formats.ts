import type { Escaping } from '../ci-commands.ts';
import type { Placing } from '../../reports/forge/placing.ts';
import type { ReportSource } from '../../reports/source.ts';

/** What a report is made from. */
export interface ReportInput {
  readonly sources: readonly ReportSource[];
  readonly placing: Placing;
  /** Where runs without a label `environment` took place. */
  readonly environment?: string;
}

/** A format of reports: an option of `assay report`. */
export interface ReportFormat {
  /** The option without its dashes. */
  readonly flag: string;
  /** Whether the option takes a file, or what it makes is for standard output alone. */
  readonly takes: 'file' | 'nothing';
  readonly description: string;
  /** Whether it points at lines of the user's checkout. */
  readonly isPlaced: boolean;
  /** Whether it consists of commands that a CI system is to obey. */
  readonly isForRunner?: boolean;
  /** How it writes characters otherwise, if it goes to a log; as text if it has no way of its own. */
  readonly escaping?: Escaping;
  /** Loaded when it is needed. */
  readonly render: (input: ReportInput) => Promise<string>;
}

/** All formats, in the order of the help. */
export const FORMATS: readonly ReportFormat[] = [
  {
    flag: 'html',
    takes: 'file',
    description: 'one HTML page that opens from disk, with requests and answers',
    isPlaced: false,
    escaping: 'xml',
    render: async ({ sources }) => {
      const { renderHtml } = await import('../../reports/html/html.ts');
      const { pageTemplate } = await import('../record/page-file.ts');
      const { loadClauses } = await import('../../contracts/service/clauses.ts');
      return renderHtml(sources, pageTemplate(), { clauses: loadClauses() });
    },
  },
  {
    flag: 'markdown',
    takes: 'file',
    description: 'Markdown, for the summary of a CI step',
    isPlaced: false,
    render: async ({ sources }) =>
      (await import('../../reports/forge/markdown.ts')).renderMarkdown(sources),
  },
  {
    flag: 'summary',
    takes: 'file',
    description: 'at most ten lines of Markdown, for a chat or a pull request',
    isPlaced: false,
    render: async ({ sources }) =>
      (await import('../../reports/forge/summary.ts')).renderSummary(sources),
  },
  {
    flag: 'sarif',
    takes: 'file',
    description: 'SARIF 2.1.0, for code scanning; waivers are suppressions',
    isPlaced: true,
    escaping: 'json',
    render: async ({ sources, ...options }) =>
      (await import('../../reports/forge/sarif.ts')).renderSarif(sources, options),
  },
  {
    flag: 'code-quality',
    takes: 'file',
    description: "GitLab's code quality report",
    isPlaced: true,
    escaping: 'json',
    render: async ({ sources, placing }) =>
      (await import('../../reports/forge/code-quality.ts')).renderCodeQuality(sources, placing),
  },
  {
    flag: 'junit',
    takes: 'file',
    description: 'JUnit XML',
    isPlaced: false,
    escaping: 'xml',
    render: async ({ sources }) =>
      (await import('../../reports/junit/junit.ts')).renderJUnitOf(sources),
  },
  {
    flag: 'annotations',
    takes: 'nothing',
    description: 'workflow commands of GitHub Actions, ten at most, on standard output',
    isPlaced: true,
    isForRunner: true,
    render: async ({ sources, placing }) =>
      (await import('../../reports/forge/annotations.ts')).renderAnnotations(sources, placing),
  },
];
