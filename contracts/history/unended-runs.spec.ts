import { expect, test } from 'vitest';
import { runOf } from '../release/release.testkit.ts';
import { historyOf, type UnendedRun, unendedRunOf } from './run-history.ts';
import { entryAt, nightOf } from './run-history.testkit.ts';

const { profile, target } = entryAt(0);
const unended = (at: number, changes: Partial<UnendedRun> = {}): UnendedRun => ({
  ...{ run: `night-${at}`, startedAt: nightOf(at), profile, target, labels: {} },
  ...changes,
});
const namesOf = (some: readonly UnendedRun[]): string[] | undefined =>
  historyOf(entryAt(9), [entryAt(2), entryAt(4)], [], some).unended?.map(({ run }) => run);

test('a run names those since the one before that were not judged to their end, oldest first', () => {
  expect(namesOf([7, 5, 3, 12].map((at) => unended(at)))).toEqual(['night-5', 'night-7']);
  expect(namesOf([3, 12].map((at) => unended(at)))).toBe(undefined);
});

test('a run names none of another target or profile', () => {
  const elsewhere = { kind: 'remote', urls: { zap: 'http://127.0.0.1:9' } } as const;
  expect(namesOf([unended(5, { profile: 'release' }), unended(6, { target: elsewhere })])).toBe(
    undefined,
  );
});

test('of a run that was not judged to its end begin, build and target are kept', () => {
  const run = runOf('r', { startedAt: nightOf(3), labels: { commit: 'c'.repeat(1_000) } });
  expect(unendedRunOf(run, 'folder')).toEqual({
    ...{ run: 'folder', startedAt: nightOf(3), profile: run.profile },
    target: { kind: run.target.kind, urls: run.target.urls },
    labels: { commit: 'c'.repeat(300) },
  });
});
