import type { RunFinding, RunJson, RunRuleRow } from '../../contracts/run/run.ts';
import { findingNotes, placeWords, seenWords, wasWords } from '../finding-words.ts';
import { ruleState } from '../baseline-state.ts';
import { codeSpan, htmlWords, plainWords } from './markdown-text.ts';
import { plural } from '../text.ts';
import { VERDICT_STYLE } from '../terminal/verdict-style.ts';
import { requestBlocks } from './markdown-request.ts';

/** More findings of one rule are counted. */
const MAX_FINDINGS = 3;
const MAX_CLAUSES = 2;

/**
 * A broken rule, folded except for its summary: where it was broken, how, by which request, and the way
 * to see it again.
 */
export function findingBlock(rule: RunRuleRow, run: RunJson, isOpen: boolean): string {
  const { symbol } = VERDICT_STYLE[rule.verdict];
  const { findings } = rule;
  const [first] = findings;
  const was = first === undefined ? '' : `: <code>${htmlWords(wasWords(rule, first), 200)}</code>`;
  const shown = findings.slice(0, MAX_FINDINGS);
  const more = rule.findings.length - shown.length;
  const state = ruleState(rule, run);
  const since = state === undefined ? '' : `, ${state}`;
  return [
    `<details${isOpen ? ' open' : ''}><summary>${symbol} <code>${htmlWords(rule.id, 200)}</code>${since}${was}</summary>`,
    [
      `- protects: ${plainWords(rule.protects)} (${plainWords(rule.source)}, ${rule.level})`,
      ...(rule.clauses ?? [])
        .slice(0, MAX_CLAUSES)
        .map((clause) => `- document: ${plainWords(clause)}`),
      ...(rule.reason === undefined ? [] : [`- note: ${plainWords(rule.reason)}`]),
      ...shown.flatMap((finding) => findingLines(finding, rule)),
      ...(more > 0 ? [`- and ${plural(more, 'finding')} more in the record`] : []),
    ].join('\n'),
    ...requestBlocks(rule, run),
    '</details>',
  ].join('\n\n');
}

function findingLines(finding: RunFinding, rule: RunRuleRow): string[] {
  const { pointer, operation, expected, actual, exchanges } = finding;
  const isPlaced = pointer !== '';
  const where = isPlaced ? codeSpan(pointer) : plainWords(placeWords(rule, finding));
  const inOperation = isPlaced && operation !== undefined ? ` of ${codeSpan(operation)}` : '';
  const first = exchanges
    .slice(0, 3)
    .map((id) => codeSpan(id))
    .join(', ');
  return [
    `- at ${where}${inOperation}`,
    `  - expected ${codeSpan(expected)}`,
    `  - actual ${codeSpan(actual)}`,
    `  - seen ${seenWords(finding, rule)}, first in ${first}`,
    ...findingNotes(finding).map(([label, text]) => `  - ${label}: ${plainWords(text)}`),
  ];
}
