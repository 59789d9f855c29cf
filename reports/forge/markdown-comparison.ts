import type { RunJson } from '../../contracts/run/run.ts';
import { comparisonHeadline, comparisonParts } from '../comparison-words.ts';
import { plainWords } from './markdown-text.ts';

/** Rows of one sort; the others are counted. */
const MAX_ROWS = 20;

/** What became of a run since its baseline: a sentence, then a list for each sort of difference. */
export function comparisonBlocks({ baseline }: RunJson): string[] {
  if (baseline === undefined) return [];
  return [
    `### ${plainWords(comparisonHeadline(baseline), 1_000)}`,
    ...comparisonParts(baseline).map(({ title, rows, more }) => {
      const shown = rows.slice(0, MAX_ROWS);
      const left = more + rows.length - shown.length;
      return [
        `**${plainWords(title)}**`,
        '',
        ...shown.map(({ symbol, text }) => `- ${symbol} ${plainWords(text, 1_000)}`),
        ...(left > 0 ? [`- and ${left} more`] : []),
      ].join('\n');
    }),
  ];
}
