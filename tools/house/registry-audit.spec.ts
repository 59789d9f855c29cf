import { describe, expect, test } from 'vitest';
import { DOCUMENT } from '../../contracts/service/index.ts';
import { FAULTS } from '../../fixtures/service/faults/catalogue.ts';
import { LIMIT_FAULTS } from '../../fixtures/service/faults/limits/limits.ts';
import { LOAD_FAULTS } from '../../fixtures/service/faults/limits/load.ts';
import { VARIANTS } from '../../fixtures/service/variants/variants.ts';
import { LIMIT_VARIANTS } from '../../fixtures/service/variants/limits/limits.ts';
import { LOAD_VARIANTS } from '../../fixtures/service/variants/limits/load.ts';
import { auditOf, type Registry } from './registry-audit.ts';

const TODAY = new Date().toISOString().slice(0, 10);

test('every clause is covered, every rule has its clause and its faults', async () => {
  const registry = {
    clauses: DOCUMENT.loadClauses(),
    rules: DOCUMENT.rules.all,
    observers: await DOCUMENT.loadObservers(),
    faults: [...FAULTS, ...LIMIT_FAULTS, ...LOAD_FAULTS],
    variants: [...VARIANTS, ...LIMIT_VARIANTS, ...LOAD_VARIANTS],
  };
  expect(auditOf(registry, TODAY)).toEqual([]);
});

describe('the audit sees', () => {
  const clause = {
    id: 'c',
    section: '1',
    level: 'must',
    text: 'Something.',
    rules: ['r'],
  } as const;
  const rulesOut = 'A service that answers anything else than it should.';
  const rule = { id: 'r', level: 'must', source: '§1, §2.1', rulesOut } as const;
  const unspecified = { ...clause, id: 's', level: 'observe', rules: [], ledger: ['o'] } as const;
  const whole: Registry = {
    clauses: [clause, unspecified],
    rules: [rule],
    observers: [{ id: 'o' }],
    faults: [
      { id: 'f', breaks: 'r', subtle: false },
      { id: 'g', breaks: 'r', subtle: true },
    ],
    variants: [{ id: 'v' }],
  };
  const waiver = { reason: 'cannot be seen over HTTP', expires: '2026-01-01' };
  const [first, second] = whole.faults;

  test('nothing in a registry that is whole', () => {
    expect(auditOf(whole, '2026-01-01')).toEqual([]);
  });

  test.each<[string, Partial<Registry>]>([
    [
      'the clause x has no rule',
      { clauses: [...whole.clauses, { ...unspecified, id: 'x', ledger: [] }] },
    ],
    ['the clause c stands twice', { clauses: [...whole.clauses, clause] }],
    [
      'the clause x is unspecified',
      { clauses: [...whole.clauses, { ...clause, id: 'x', level: 'observe' }] },
    ],
    ['names the rule q', { clauses: [{ ...clause, rules: ['r', 'q'] }, unspecified] }],
    ['names the observer q', { clauses: [clause, { ...unspecified, ledger: ['o', 'q'] }] }],
    [
      'the waiver of the clause c expired',
      { clauses: [{ ...clause, waiver: { ...waiver, expires: '2025-12-31' } }, unspecified] },
    ],
    [
      'the waiver of the clause c needs',
      { clauses: [{ ...clause, waiver: { ...waiver, reason: 'no' } }, unspecified] },
    ],
    ['the rule q has no clause', { rules: [rule, { ...rule, id: 'q' }] }],
    ['the rule q has 0 faults', { rules: [rule, { ...rule, id: 'q' }] }],
    ['the rule r stands twice', { rules: [rule, rule] }],
    ['does not state the wrong answer', { rules: [{ ...rule, rulesOut: 'A fault.' }] }],
    ['is a must that is not stated', { rules: [{ ...rule, source: 'implied by §1' }] }],
    ['is a must that is not stated', { rules: [{ ...rule, source: '§1, RFC 9110 section 15' }] }],
    [
      'and is no must',
      { rules: [{ ...rule, level: 'should', source: 'implied by §1 (no service)' }] },
    ],
    ['the observer q has no clause', { observers: [{ id: 'o' }, { id: 'q' }] }],
    ['the rule r has 1 faults', { faults: whole.faults.slice(1) }],
    [
      'the rule r has no subtle fault',
      { faults: whole.faults.map((fault) => ({ ...fault, subtle: false })) },
    ],
    ['the fault f stands twice', { variants: [{ id: 'f' }] }],
    [
      'the fault h breaks the rule q',
      { faults: [...whole.faults, { id: 'h', breaks: 'q', subtle: true }] },
    ],
    [
      'the fault f breaks the rule q',
      { faults: [{ ...first, alsoBreaks: { q: 'a reason' } }, second] as Registry['faults'] },
    ],
  ])('%s', (problem, change) => {
    const problems = auditOf({ ...whole, ...change }, '2026-01-01');
    expect(problems).toContainEqual(expect.stringContaining(problem));
  });
});
