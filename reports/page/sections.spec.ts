import { describe, expect, test } from 'vitest';
import type { Clause } from '../../contracts/judging/clause.ts';
import { EXAMPLE_RUN } from '../example-run.testkit.ts';
import { countClauses, sectionsOf } from './sections.ts';

describe('sections', () => {
  const clauses: readonly Clause[] = [
    { id: 'late', section: '10', level: 'must', text: 'Ten.', rules: ['zap.pools.limit-default'] },
    {
      id: 'worst',
      section: '2.2',
      level: 'must',
      text: 'Two.',
      rules: ['zap.quote.shape', 'zap.path.min-return-within-amount'],
    },
    { id: 'silent', section: '7', level: 'observe', text: 'Open.', ledger: ['errors.status-type'] },
    { id: 'other', section: '8', level: 'must', text: 'Of no rule here.', rules: ['zap.gone'] },
  ];
  const sections = sectionsOf(EXAMPLE_RUN, clauses);

  test('stand in the order of the document, rules of no clause behind them', () => {
    const names = sections.map(({ section }) => section);
    expect(names.slice(0, 3)).toEqual(['§2.2', '§7', '§10']);
    expect(names.slice(3).every((name) => name.startsWith('beside the clauses'))).toBe(true);
    const rules = sections.flatMap((one) => one.clauses.flatMap(({ rules: some }) => some));
    expect(new Set(rules.map(({ id }) => id)).size).toBe(EXAMPLE_RUN.rules.length);
  });

  test('a clause has the verdict of its rule that wants most attention', () => {
    expect(sections[0]?.clauses.map(({ verdict }) => verdict)).toEqual(['fail']);
    expect(sections[1]?.clauses.map(({ verdict }) => verdict)).toEqual(['observed']);
    expect(countClauses(sections[0]?.clauses ?? [])).toMatchObject({ fail: 1, pass: 0 });
  });
});
