import { expect, test } from 'vitest';
import type { RunRuleRow } from '../contracts/run/run.ts';
import { causesFirst } from './causes.ts';
import { EXAMPLE_RUN, ruleRow } from './example-run.testkit.ts';
import { namedExchanges } from './named-exchanges.ts';

const finding = { pointer: '', expected: 'x', actual: 'y', curl: 'c' };
function broken(
  id: string,
  differsIn: readonly string[] | undefined,
  count: number,
  changes: Partial<RunRuleRow> = {},
): RunRuleRow {
  const counterexample = EXAMPLE_RUN.rules[1]?.counterexample;
  return ruleRow({
    id,
    verdict: 'fail',
    evidence: 10,
    findings: [{ ...finding, exchanges: [`${id}-1`, `${id}-2`], count }],
    ...(differsIn === undefined || counterexample === undefined
      ? {}
      : { counterexample: { ...counterexample, differsIn, exchanges: [`${id}-smallest`] } }),
    ...changes,
  });
}

test('what fails comes before what warns, plain requests before special ones, always before at times', () => {
  const rules = [
    ruleRow({ id: 'held' }),
    broken('warned', [], 10, { verdict: 'warn' }),
    broken('special', ['body/a', 'body/b'], 10),
    broken('unknown', undefined, 10),
    broken('at times', [], 2),
    broken('always', [], 30),
    broken('waived', [], 10, { verdict: 'waived' }),
  ];
  expect(causesFirst(rules).map(({ id }) => id)).toEqual([
    ...['always', 'at times', 'unknown', 'special', 'warned'],
  ]);
});

test('of exchanges, the smallest and the first of each rule come before further ones', () => {
  const rules = [broken('b', undefined, 1), broken('a', [], 1)];
  expect(namedExchanges({ ...EXAMPLE_RUN, rules })).toEqual([
    ...['a-smallest', 'a-1', 'b-1', 'a-2', 'b-2'],
  ]);
});
