import type { Placing } from '../reports/placing.ts';
import type { ReportSource } from '../reports/source.ts';

/** What a report is made from. */
export interface ReportInput {
  readonly sources: readonly ReportSource[];
  readonly placing: Placing;
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
  /** Loaded when it is needed. */
  readonly render: (input: ReportInput) => Promise<string>;
}

/** All formats, in the order of the help. */
export const FORMATS: readonly ReportFormat[] = [
  {
    flag: 'markdown',
    takes: 'file',
    description: 'Markdown, for the summary of a CI step',
    isPlaced: false,
    render: async ({ sources }) => (await import('../reports/markdown.ts')).renderMarkdown(sources),
  },
  {
    flag: 'junit',
    takes: 'file',
    description: 'JUnit XML',
    isPlaced: false,
    render: async ({ sources }) => (await import('../reports/junit.ts')).renderJUnitOf(sources),
  },
];
