import { expect, test } from 'vitest';
import type { OtherRun } from '../../contracts/release/release.ts';
import { otherRunLines } from './release-words.ts';

const other = (id: string, outcome: OtherRun['outcome']): OtherRun => ({
  ...{ id, folder: id, outcome, kind: 'check', startedAt: '2026-01-02T03:04:05Z', outOfScope: [] },
});

test('of other runs of a build the failed ones are shown first, and the rest is counted', () => {
  const others = [other('a', 'conforms'), other('b', 'undecided'), other('c', 'does-not-conform')];
  expect(otherRunLines({ others }, 'beside', 2)).toEqual([
    'beside, of the same build: c (check of 2026-01-02T03:04:05Z): does not conform',
    'beside, of the same build: b (check of 2026-01-02T03:04:05Z): is incomplete',
    'beside, of the same build: and 1 more, none of a worse outcome',
  ]);
  expect(otherRunLines({ others }, 'beside', 3)).toHaveLength(3);
  expect(otherRunLines({}, 'beside', 3)).toEqual([]);
  expect(otherRunLines({ unread: ['d (it has no run.json)'] }, 'beside', 3)).toEqual([
    'beside, with an outcome that is not known: d (it has no run.json)',
  ]);
});
