import { expect, test } from 'vitest';
import { UsageError } from '../exit-code.ts';
import { prunedRegressions, pruningOf } from './prune-regressions.ts';

test('regressions are removed after ten runs, or as many as are asked for', () => {
  const prune = ['known', 'regressions'];
  expect(prunedRegressions({ prune: ['known'] }, 'dir')).toBeUndefined();
  expect(prunedRegressions({ prune }, 'dir')).toEqual({ runs: 10 });
  expect(prunedRegressions({ prune, pruneAfter: '3' }, 'dir')).toEqual({ runs: 3 });
});

test.each([
  [{ prune: ['regressions'] }, undefined, '--regressions DIR'],
  [{ pruneAfter: '3' }, 'dir', '--prune regressions'],
  [{ prune: ['regressions'], pruneAfter: '0' }, 'dir', 'a number of runs'],
])('%j is wrong use', (flags, dir, words) => {
  expect(() => prunedRegressions(flags, dir)).toThrow(UsageError);
  expect(() => prunedRegressions(flags, dir)).toThrow(words);
});

test('a check takes known and regressions; what it removes of both is asked for by name', () => {
  expect(() => pruningOf({ prune: ['all'] }, 'dir')).toThrow('--prune takes known or regressions');
  expect(() => pruningOf({ prune: ['known'] }, 'dir')).toThrow('--known FILE');
  expect(pruningOf({ prune: ['regressions'] }, 'dir').known).toBeUndefined();
});
