import type { RunFinding, RunJson, RunRuleRow } from '../../contracts/run/run.ts';
import { ruleStateOf, stateWords } from '../baseline-state.ts';
import { codeBlock, codeSpan, htmlWords, plainWords } from './markdown-text.ts';
import { plural } from '../text.ts';
import { VERDICT_STYLE } from '../terminal/verdict-style.ts';

/** More findings of one rule are counted. */
const MAX_FINDINGS = 3;
/** A longer line is in the record alone. */
const MAX_LINE_CHARACTERS = 4_000;
const MAX_BODY_CHARACTERS = 2_000;
const MAX_CLAUSES = 2;

/**
 * A broken rule, folded except for its summary: where it was broken, how, by which request, and the way
 * to see it again.
 */
export function findingBlock(rule: RunRuleRow, run: RunJson, isOpen: boolean): string {
  const { symbol } = VERDICT_STYLE[rule.verdict];
  const [first] = rule.findings;
  const was = first === undefined ? '' : `: was <code>${htmlWords(first.actual, 160)}</code>`;
  const shown = rule.findings.slice(0, MAX_FINDINGS);
  const more = rule.findings.length - shown.length;
  const state = stateWords(ruleStateOf(rule, run), run);
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

function findingLines(finding: RunFinding, { evidence }: RunRuleRow): string[] {
  const { pointer, operation, expected, actual, exchanges, count } = finding;
  const where = pointer === '' ? 'the response as a whole' : codeSpan(pointer);
  const inOperation = operation === undefined ? '' : ` of ${codeSpan(operation)}`;
  const first = exchanges
    .slice(0, 3)
    .map((id) => codeSpan(id))
    .join(', ');
  return [
    `- at ${where}${inOperation}`,
    `  - expected ${codeSpan(expected)}`,
    `  - actual ${codeSpan(actual)}`,
    `  - seen ${plural(count, 'time')} in ${plural(evidence, 'exchange')} judged, first in ${first}`,
  ];
}

function requestBlocks({ counterexample, findings }: RunRuleRow, { seed }: RunJson): string[] {
  if (counterexample === undefined) {
    const [first] = findings;
    return first === undefined ? [] : copyable('Try it:', [first.curl]);
  }
  const { curl, differsIn, reproduced, replay, command, response, stopped } = counterexample;
  const size =
    differsIn.length === 0
      ? 'A plain request shows it'
      : `The smallest request that shows it differs from a plain one in ${differsIn.slice(0, 20).map(plainText).join(', ')}`;
  const why = stopped === undefined ? '' : `; ${plainWords(stopped)}`;
  return [
    ...copyable(`${size}; reproduced ${reproduced.times} of ${reproduced.of} times${why}:`, curl),
    ...(response === undefined
      ? []
      : [
          `Answered ${response.status}:`,
          codeBlock(
            response.body
              .slice(0, MAX_BODY_CHARACTERS)
              .split('\n')
              .map((line) => line.replace(/\r$/, '')),
          ),
        ]),
    ...copyable('Show it again:', [command ?? `assay check --seed ${seed} --replay ${replay}`]),
  ];
}

function plainText(field: string): string {
  return codeSpan(field, 100);
}

/** Lines for a shell, whole or not at all. */
function copyable(heading: string, lines: readonly string[]): string[] {
  const characters = lines.reduce((sum, line) => sum + line.length, 0);
  return characters > MAX_LINE_CHARACTERS
    ? [`${heading} it is longer than this page has room for; run.json and the terminal have it.`]
    : [heading, codeBlock(lines, 'sh')];
}
