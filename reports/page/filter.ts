/** What the reader wants to see. */

import type { LedgerRow, RunRuleRow, Verdict } from '../../contracts/run/run.ts';

/** A choice; an empty one shows everything. */
export interface Filter {
  /** Words that all have to occur. */
  readonly text: string;
  readonly verdict: Verdict | '';
  readonly api: string;
  /** `§2.1`. */
  readonly section: string;
}

/** Shows everything. */
export const EVERYTHING: Filter = { text: '', verdict: '', api: '', section: '' };

/** Whether a choice leaves something out. */
export function isChoosing(filter: Filter): boolean {
  return filter !== EVERYTHING && Object.values(filter).some((value) => value !== '');
}

const words = new WeakMap<object, string>();

/** Whether a rule is to be shown. */
export function showsRule(
  filter: Filter,
  rule: RunRuleRow,
  sections: ReadonlyMap<string, ReadonlySet<string>>,
): boolean {
  return (
    (filter.verdict === '' || rule.verdict === filter.verdict) &&
    (filter.api === '' || rule.api === filter.api) &&
    (filter.section === '' || sections.get(rule.id)?.has(filter.section) === true) &&
    hasWords(filter, rule, () => [
      ...[rule.id, rule.source, rule.protects, rule.reason, rule.needs, rule.verdict, rule.level],
      ...(rule.clauses ?? []),
      ...rule.findings.flatMap(({ pointer, expected, actual, exchanges }) => [
        ...[pointer, expected, actual],
        ...exchanges,
      ]),
    ])
  );
}

/** Whether a row of the ledger is to be shown: it has no verdict but that it was observed. */
export function showsUnspecified(filter: Filter, row: LedgerRow): boolean {
  return (
    (filter.verdict === '' || filter.verdict === 'observed') &&
    (filter.api === '' || row.id.startsWith(`${filter.api}.`)) &&
    (filter.section === '' || `${row.clause} `.startsWith(`${filter.section} `)) &&
    hasWords(filter, row, () => [row.id, row.clause, ...row.observed])
  );
}

function hasWords(
  { text }: Filter,
  key: object,
  textsOf: () => readonly (string | undefined)[],
): boolean {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return true;
  let all = words.get(key);
  if (all === undefined) {
    all = textsOf().join('\n').toLowerCase();
    words.set(key, all);
  }
  const found = all;
  return wanted.every((word) => found.includes(word));
}
