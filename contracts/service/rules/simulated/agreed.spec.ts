import { expect, test } from 'vitest';
import { agreed } from './agreed.ts';

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
