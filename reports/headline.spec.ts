import { expect, test } from 'vitest';
import { EXAMPLE_LOAD } from '../contracts/run/load/load-run.testkit.ts';
import type { RunJson } from '../contracts/run/run.ts';
import { EXAMPLE_RUN } from './example-run.testkit.ts';
import { headlineOf } from './headline.ts';
import { problemsOf } from './problems.ts';
import { trendOf } from './plots/trend.testkit.ts';

test('a run that is no whole one says so once', () => {
  const cut: RunJson = { ...EXAMPLE_RUN, outcome: 'undecided', complete: false, rules: [] };
  const said = (notice: string): string => headlineOf({ ...cut, notices: [notice] }).words;
  expect(said('The run did not come to its end.')).toBe(
    'undecided: The run did not come to its end (partial)',
  );
  expect(said('Nobody answered.')).toBe(
    'undecided: Nobody answered (partial: the run did not come to its end)',
  );
});

test('a run that a comparison left undecided is neither green nor broken', () => {
  const trend = trendOf([], { refused: ['It ran on another machine.'] });
  const thresholds = [{ expression: 'slower==0', held: false }];
  const run: RunJson = {
    ...EXAMPLE_RUN,
    ...{ outcome: 'conforms', rules: [] },
    load: { ...EXAMPLE_LOAD, thresholds, trend },
  };
  const said = 'undecided: whether load became slower is not known: It ran on another machine';
  expect(headlineOf(run)).toEqual({ symbol: '?', words: said });
  expect(problemsOf(run).map(({ check, words }) => [check, words])).toEqual([
    ['assay.undecided', said],
  ]);
});
