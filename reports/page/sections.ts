/** The clauses of the document by section, with what became of each in a run. */

import type { Clause } from '../../contracts/judging/clause.ts';
import type { LedgerRow, RunJson, RunRuleRow, Verdict } from '../../contracts/run/run.ts';

/** What became of a clause: the verdict of its rule that wants most attention, or why it has none. */
export type ClauseVerdict = Verdict | 'not-judged';

/** Those that want attention first. */
export const CLAUSE_VERDICTS: readonly ClauseVerdict[] = [
  'fail',
  'warn',
  'inconclusive',
  'waived',
  'not-reached',
  'observed',
  'pass',
  'not-judged',
];

/** One clause in a run. */
export interface ClauseRow {
  readonly clause: Pick<Clause, 'id' | 'level' | 'text'> & { readonly waiver?: string };
  readonly verdict: ClauseVerdict;
  readonly rules: readonly RunRuleRow[];
  readonly ledger: readonly LedgerRow[];
}

/** One section of the document in a run. */
export interface SectionRow {
  /** `§2.1`, or what rules of no clause rest on. */
  readonly section: string;
  readonly clauses: readonly ClauseRow[];
}

/** The sections that a run speaks of, in the order of the document; rules of no clause come last. */
export function sectionsOf(run: RunJson, clauses: readonly Clause[]): SectionRow[] {
  const rules = new Map(run.rules.map((rule) => [rule.id, rule]));
  const ledger = new Map(run.ledger.map((row) => [row.id, row]));
  const found = new Map<string, ClauseRow[]>();
  const used = new Set<string>();
  for (const clause of clauses) {
    const own = (clause.rules ?? []).flatMap((id) => rules.get(id) ?? []);
    const seen = (clause.ledger ?? []).flatMap((id) => ledger.get(id) ?? []);
    if (own.length === 0 && seen.length === 0) continue;
    for (const { id } of own) used.add(id);
    const { id, level, text, waiver } = clause;
    const row = {
      clause: { id, level, text, ...(waiver === undefined ? {} : { waiver: waiver.reason }) },
      verdict: verdictOf(own, seen),
      ...{ rules: own, ledger: seen },
    };
    const section = `§${clause.section}`;
    found.set(section, [...(found.get(section) ?? []), row]);
  }
  for (const rule of run.rules) {
    if (used.has(rule.id)) continue;
    const { id, level, protects, source } = rule;
    const row = {
      clause: { id, level, text: protects },
      verdict: verdictOf([rule], []),
      ...{ rules: [rule], ledger: [] },
    };
    const section = `beside the clauses: ${source}`;
    found.set(section, [...(found.get(section) ?? []), row]);
  }
  return [...found]
    .map(([section, rows]) => ({ section, clauses: rows }))
    .sort((a, b) => rank(a) - rank(b) || a.section.localeCompare(b.section, 'en', NUMERIC));
}

const NUMERIC = { numeric: true };

function rank({ section }: SectionRow): number {
  return section.startsWith('§') ? 0 : 1;
}

function verdictOf(rules: readonly RunRuleRow[], ledger: readonly LedgerRow[]): ClauseVerdict {
  const worst = CLAUSE_VERDICTS.find((verdict) => rules.some((rule) => rule.verdict === verdict));
  if (worst !== undefined) return worst;
  return ledger.some(({ observed }) => observed.length > 0) ? 'observed' : 'not-judged';
}

/** How many clauses of a section have each verdict. */
export function countClauses(
  clauses: readonly ClauseRow[],
): Readonly<Record<ClauseVerdict, number>> {
  return Object.fromEntries(
    CLAUSE_VERDICTS.map((verdict) => [
      verdict,
      clauses.filter((row) => row.verdict === verdict).length,
    ]),
  ) as Record<ClauseVerdict, number>;
}
