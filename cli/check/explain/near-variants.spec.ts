import { expect, test } from 'vitest';
import { nearVariants } from './near-variants.ts';

const OTHERS = Array.from({ length: 40 }, (_, at) => ({
  id: `other-${at}`,
  reads: 'Chains are listed as they were.',
}));
const NEAR = { id: 'pools-up-to-the-limit', reads: 'A list of pools ends at the limit.' };
const FAR = { id: 'pools-in-any-order', reads: 'A list of pools is in any order.' };
const RULE = {
  id: 'zap.pools.within-limit',
  protects: 'A list holds no more pools than the limit.',
};

test('those that share rare words with the rule are near, the nearest first', () => {
  expect(nearVariants(RULE, [...OTHERS, FAR, NEAR])).toEqual([NEAR, FAR]);
});

test('one word, or those of the API and of the language, make none near', () => {
  const rule = { id: 'listed.pools.within-any', protects: 'What they were, some of them are.' };
  expect(nearVariants(rule, [...OTHERS, FAR, NEAR])).toEqual([]);
});

test('what shares less than half of what the nearest one shares is not reported', () => {
  const chance = { id: 'list-of-pools', reads: 'Empty.' };
  const all = Array.from({ length: 20 }, (_, at) => ({ ...FAR, id: `pools-${at}` }));
  expect(nearVariants(RULE, [...OTHERS, ...all, chance, NEAR])).toEqual([NEAR]);
});

test('no more than five are reported', () => {
  const many = Array.from({ length: 9 }, (_, at) => ({ ...NEAR, id: `pools-limit-${at}` }));
  expect(nearVariants(RULE, [...many, ...OTHERS])).toHaveLength(5);
});
