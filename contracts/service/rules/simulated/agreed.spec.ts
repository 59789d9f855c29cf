import { expect, test } from 'vitest';
import { agreed, agreedOver } from './agreed.ts';

const BROKEN = [{ pointer: '', expected: 'something', actual: 'something else' }];

test.each([
  ['nothing of no build', [], undefined],
  ['kept by one build', [[]], 'kept'],
  ['broken by two builds', [BROKEN, BROKEN], 'broken'],
  ['broken by two of three builds', [BROKEN, [], BROKEN], 'broken'],
  ['inconclusive if one of three builds breaks it', [BROKEN, [], []], 'inconclusive'],
  ['inconclusive if one breaks it, and no other was judged', [BROKEN], 'inconclusive'],
] as const)('a promise is %s', (_, judgements, decision) => {
  expect(agreed(judgements)).toBe(decision);
});

test.each([
  ['count if each loses money', true, ['broken', 'broken', 'kept']],
  ['do not count if money is not lost for sure', false, ['inconclusive', 'inconclusive', 'kept']],
])('single builds of two requests that break a promise %s', (_, isLoss, decisions) => {
  const one = { said: BROKEN, isLoss };
  const kept = { said: [], isLoss: false };
  expect(agreedOver([[kept, one, kept], [one, kept, kept], [kept]])).toStrictEqual(decisions);
});

test('a loss of one request alone does not count', () => {
  const kept = { said: [], isLoss: false };
  const losing = [{ said: BROKEN, isLoss: true }, kept, kept];
  expect(agreedOver([losing, [kept]])).toStrictEqual(['inconclusive', 'kept']);
});
