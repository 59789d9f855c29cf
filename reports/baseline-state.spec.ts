import { describe, expect, test } from 'vitest';
import type { ComparedFinding, RunComparison } from '../contracts/run/run-comparison.ts';
import type { RunFinding, RunJson } from '../contracts/run/run.ts';
import { fingerprintOf } from '../contracts/compare/fingerprint.ts';
import { baselineStateOf, inOrder, ruleStateOf, stateWords } from './baseline-state.ts';
import { EXAMPLE_COMPARISON } from './comparison.testkit.ts';
import { ruleRow } from './example-run.testkit.ts';

const NONE = { rows: [], more: 0 };

function row(fingerprint: string): ComparedFinding {
  const [first] = EXAMPLE_COMPARISON.findings.fresh.rows;
  if (first === undefined) throw new Error('the example has no new finding');
  return { ...first, fingerprint };
}

function comparison(changes: Partial<RunComparison['findings']>): RunComparison {
  const findings = { fresh: NONE, fixed: NONE, still: NONE, open: NONE, ...changes };
  return { ...EXAMPLE_COMPARISON, findings };
}

const listed = (fingerprint: string, more = 0) => ({ rows: [row(fingerprint)], more });

describe('a finding is', () => {
  test('what the list says that it stands in', () => {
    const baseline = comparison({ fresh: listed('a'), still: listed('b'), open: listed('c') });
    expect(['a', 'b', 'c'].map((one) => baselineStateOf(one, baseline))).toEqual([
      'new',
      'still',
      'unclear',
    ]);
  });

  test('of the one list that is not whole if it stands in none', () => {
    const state = (changes: Partial<RunComparison['findings']>): string =>
      baselineStateOf('x', comparison(changes));
    expect(state({ fresh: listed('a', 1) })).toBe('new');
    expect(state({ still: listed('a', 1) })).toBe('still');
    expect(state({ open: listed('a', 1) })).toBe('unclear');
    expect(state({ fresh: listed('a', 1), still: listed('b', 1) })).toBe('unclear');
    expect(state({ still: listed('b', 1), open: listed('c', 1) })).toBe('unclear');
    expect(state({})).toBe('unclear');
  });
});

test('a rule is new where one of its findings is, whatever the others are', () => {
  const at = (pointer: string): RunFinding => ({
    ...{ pointer, expected: 'x', actual: 'y', exchanges: [], curl: 'c', count: 1 },
  });
  const [a, b] = [at('/a'), at('/b')];
  const baseline = comparison({
    fresh: listed(fingerprintOf('zap.r', b)),
    still: listed(fingerprintOf('zap.r', a)),
  });
  const stateOf = (findings: readonly RunFinding[]): string | undefined =>
    ruleStateOf({ id: 'zap.r', findings }, { baseline });
  expect([stateOf([a, b]), stateOf([a]), stateOf([])]).toEqual(['new', 'still', undefined]);
  expect(ruleStateOf({ id: 'zap.r', findings: [a] }, {})).toBeUndefined();
});

test('its words distinguish an earlier run from a target that was asked at the same time', () => {
  const beside = { zap: 'http://127.0.0.1:2' };
  const there = { ...EXAMPLE_COMPARISON, base: { ...EXAMPLE_COMPARISON.base, beside } };
  expect(stateWords('new', { baseline: EXAMPLE_COMPARISON })).toBe('new since the baseline');
  expect(stateWords('new', { baseline: there })).toBe('not in the baseline');
  expect(stateWords('still', { baseline: there })).toBe('in the baseline as well');
  expect(stateWords('unclear', { baseline: there })).toBe(
    'whether the baseline has it is not known',
  );
  expect(stateWords('new', {})).toBeUndefined();
});

test('what is neither waived nor known is shown before what is', () => {
  const finding = (pointer: string, waived?: string): RunFinding => ({
    ...{ pointer, expected: '', actual: '', curl: '', exchanges: [], count: 1 },
    ...(waived === undefined ? {} : { waived }),
  });
  const rule = { id: 'a', findings: [finding('/1', 'by us'), finding('/b'), finding('/c')] };
  const known = {
    ...{ file: 'known.json', fresh: {}, gone: [] },
    known: { [fingerprintOf('a', finding('/b'))]: '2026-01-01' },
  };
  const order = (more: Pick<RunJson, 'known'>): unknown =>
    inOrder({ rules: [ruleRow({ ...rule, verdict: 'fail' })], ...more }).rules[0]?.findings.map(
      ({ pointer }) => pointer,
    );
  expect(order({ known })).toEqual(['/c', '/1', '/b']);
  expect(order({})).toEqual(['/b', '/c', '/1']);
});
