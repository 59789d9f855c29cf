import { describe, expect, test } from 'vitest';
import type { Collected, GroupJudgement, RunRule, Witness } from '../rule.ts';
import { sandwichRule } from './sandwich.ts';

const RULE = sandwichRule<string>({
  id: 'zap.test',
  level: 'should',
  source: 'implied by §2.2',
  protects: 'B answers as A.',
  api: 'zap',
  operations: ['zap.quote'],
  relation: 'test',
  digest: () => '',
  compare: (a, b) => (a === b ? [] : [{ pointer: '', expected: a, actual: b }]),
}) as RunRule;

const WITNESS: Witness = {
  id: 'x1',
  request: { method: 'POST', url: '', path: '', headers: [], body: null },
};

/** Groups written as three letters each: the digests of A, B and A2. */
function conclude(...groups: string[]): readonly GroupJudgement['judgement'][] {
  const facts = groups.flatMap((letters, group): Collected<unknown>[] =>
    ['A', 'B', 'A2'].map((role, index) => ({
      fact: { group: String(group), role, answer: { digest: letters[index] } },
      witness: WITNESS,
    })),
  );
  return RULE.conclude(facts).map(({ judgement }) => judgement);
}

const BROKEN = [{ pointer: '', expected: 'x', actual: 'y' }];

describe('sandwichRule', () => {
  test('one broken group among still ones is broken', () => {
    expect(conclude('xxx', 'xyx', 'xxx')).toEqual([[], BROKEN, []]);
  });

  test('a group whose A and A2 differ is inconclusive', () => {
    expect(conclude('xxy')).toEqual(['inconclusive']);
  });

  test('in a service that moves anyway a broken group is inconclusive too', () => {
    expect(conclude('xyx', 'xxy', 'xxx')).toEqual(['inconclusive', 'inconclusive', []]);
    expect(conclude('xyx', 'xyx', 'xxy')).toEqual(['inconclusive', 'inconclusive', 'inconclusive']);
  });

  test('clearly more broken groups than moved ones are broken', () => {
    expect(conclude('xyx', 'xyx', 'xyx', 'xxy')).toEqual([BROKEN, BROKEN, BROKEN, 'inconclusive']);
  });
});
