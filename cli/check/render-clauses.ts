import type { Clause } from '../../contracts/judging/clause.ts';
import { isCovered } from '../../contracts/judging/clause.ts';

/** The clauses by section, each with the rules, ledger entries or waiver that cover it. */
export function renderClauses(clauses: readonly Clause[]): string {
  const sections = [...new Set(clauses.map(({ section }) => section))];
  const blocks = sections.map((section) => {
    const own = clauses.filter((clause) => clause.section === section);
    return [`Section ${section}`, ...own.flatMap(linesOf)].join('\n');
  });
  const uncovered = clauses.filter((clause) => !isCovered(clause));
  const count = (having: (clause: Clause) => unknown): number =>
    clauses.filter((clause) => having(clause) !== undefined).length;
  const summary = [
    `${clauses.length} clauses: ${count(({ rules }) => rules)} judged by rules, ${count(({ ledger }) => ledger)} watched in the ledger, ${count(({ waiver }) => waiver)} waived`,
    uncovered.length === 0
      ? 'No clause is uncovered.'
      : `${uncovered.length} uncovered: ${uncovered.map(({ id }) => id).join(', ')}`,
  ];
  return `${[...blocks, summary.join('\n')].join('\n\n')}\n`;
}

function linesOf(clause: Clause): string[] {
  const { id, level, text, rules, ledger, waiver } = clause;
  return [
    `  ${id} (${level})`,
    `    ${text}`,
    ...(rules === undefined ? [] : [`    rules: ${rules.join(', ')}`]),
    ...(ledger === undefined ? [] : [`    ledger: ${ledger.join(', ')}`]),
    ...(waiver === undefined ? [] : [`    waived until ${waiver.expires}: ${waiver.reason}`]),
    ...(isCovered(clause) ? [] : ['    uncovered']),
  ];
}
