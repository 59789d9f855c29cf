import type { RunComparison } from '../../contracts/run/run-comparison.ts';
import { comparisonHeadline, comparisonParts, type ComparisonRow } from '../comparison-words.ts';
import { bullet, printable, wrap } from '../text.ts';
import type { Paint } from './verdict-style.ts';

/** Rows of one sort; the others are counted. */
const MAX_ROWS = 10;

const FORMAT: Readonly<Record<ComparisonRow['symbol'], 'red' | 'yellow' | 'green' | 'dim'>> = {
  '✗': 'red',
  '!': 'yellow',
  '✓': 'green',
  '?': 'yellow',
  '·': 'dim',
};

/** A run against its baseline: the whole in one sentence, then what differs. */
export function comparisonLines(
  comparison: RunComparison,
  width: number,
  paint: Paint,
  isVerbose = false,
): string[] {
  const most = isVerbose ? Infinity : MAX_ROWS;
  return [
    ...wrap(printable(comparisonHeadline(comparison)), width).map((line) => paint('bold', line)),
    ...comparisonParts(comparison).flatMap(({ title, rows, more, isChance }) => {
      if (isChance === true && !isVerbose) {
        const text = `${title}: ${rows.length + more}, listed with --verbose`;
        return bullet('·', text, width).map((line) => paint('dim', line));
      }
      const left = more + Math.max(0, rows.length - most);
      return [
        ...wrap(title, width - 2).map((line) => `  ${paint('dim', line)}`),
        ...rows
          .slice(0, most)
          .flatMap(({ symbol, text }) =>
            bullet(symbol, printable(text), width).map((line) => paint(FORMAT[symbol], line)),
          ),
        ...(left > 0 ? [`    and ${left} more`] : []),
      ];
    }),
  ];
}

/** What `assay compare` prints, ending in a line break. */
export function renderComparison(
  comparison: RunComparison,
  options: { readonly width: number; readonly paint: Paint; readonly detail: string },
): string {
  const width = Math.min(120, Math.max(40, options.width));
  const { paint, detail } = options;
  const lines =
    detail === 'quiet'
      ? wrap(printable(comparisonHeadline(comparison)), width)
      : comparisonLines(comparison, width, paint, detail === 'verbose');
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`;
}
