import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fewestFacts } from './fewest-facts.ts';
import type { Collected, GroupJudgement } from './rule.ts';
import type { RecordedRequest } from '../wire/exchange.ts';

const REQUEST: RecordedRequest = { method: 'GET', url: '', path: '/', headers: [], body: null };

function collected(facts: readonly unknown[]): Collected<unknown>[] {
  return facts.map((fact, at) => ({ fact, witness: { id: `x${String(at)}`, request: REQUEST } }));
}

/** Broken once all of some facts are there; the last of them shows it. */
function needing(
  wanted: readonly unknown[],
): (facts: readonly Collected<unknown>[]) => GroupJudgement[] {
  return (facts) => {
    const there = facts.filter(({ fact }) => wanted.includes(fact));
    const witnesses = there.toReversed().map(({ witness }) => witness);
    const isBroken = new Set(there.map(({ fact }) => fact)).size === wanted.length;
    const judgement = isBroken ? [{ pointer: '/a', expected: 'b', actual: 'c' }] : [];
    return [{ witnesses, judgement }];
  };
}

const factsOf = (facts: readonly Collected<unknown>[]): unknown[] => facts.map(({ fact }) => fact);

test('just what is needed is left, wherever it stands', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(59), { minLength: 1, maxLength: 4 }), (wanted) => {
      const all = collected(Array.from({ length: 60 }, (_, at) => at));
      const inOrder = [...wanted].sort((a, b) => a - b);
      expect(factsOf(fewestFacts(all, needing(wanted)))).toEqual(inOrder);
    }),
  );
});

test('of a rule that holds nothing is needed', () => {
  expect(fewestFacts(collected([1, 2]), needing([3]))).toEqual([]);
});

describe('where less is known, something else may look broken', () => {
  // The service is blamed for a fact unless the same is also seen to be all right.
  const conclude = (facts: readonly Collected<unknown>[]): GroupJudgement[] =>
    ['a', 'b'].map((name) => {
      const own = facts.filter(({ fact }) => String(fact).startsWith(name));
      const isBroken = own.length > 0 && own.every(({ fact }) => String(fact).endsWith('!'));
      const judgement = isBroken ? [{ pointer: '', expected: 'b', actual: 'c' }] : [];
      return { witnesses: own.map(({ witness }) => witness), judgement };
    });

  test('what is left is what was broken', () => {
    const all = collected(['b!', 'b!', 'a', 'a!', 'a!']);
    const left = fewestFacts(all, conclude);
    expect(factsOf(left)).toEqual(['b!']);
  });
});

test.each([
  [50, 302],
  [400, 85],
  [40_000, 1],
])('of %d facts that are all needed at most %d conclusions are asked for', (count, most) => {
  let conclusions = 0;
  const all = collected(Array.from({ length: count }, (_, at) => at));
  const left = fewestFacts(all, (facts) => {
    conclusions += 1;
    const isBroken = facts.length === count;
    const judgement = isBroken ? [{ pointer: '', expected: 'b', actual: 'c' }] : [];
    return [{ witnesses: facts.slice(0, 1).map(({ witness }) => witness), judgement }];
  });
  expect(left).toHaveLength(count);
  expect(conclusions).toBeLessThanOrEqual(most);
});
