import { describe, expect, test } from 'vitest';
import { EXAMPLE_LOAD } from '../../contracts/run/load/load-run.testkit.ts';
import { EVERY_RULE } from '../../contracts/judging/rule-choice.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import { renderAnnotations } from './annotations.ts';
import { EXAMPLE_RUN, ruleRow } from '../example-run.testkit.ts';
import { HOSTILE_TEXTS, hostileRun } from '../hostile-run.testkit.ts';
import { NOWHERE, type Placing } from './placing.ts';
import { sourceOf } from '../source.testkit.ts';
import { type WorkflowCommand, workflowCommands } from './workflow-commands.testkit.ts';

const CONFIGURED: Placing = {
  operations: new Map([['zap.quote', { path: 'api/zap.yaml', line: 12 }]]),
  otherwise: { path: 'assay.config.yaml', line: 1 },
};
const annotations = (run: RunJson, placing = CONFIGURED): WorkflowCommand[] =>
  workflowCommands(renderAnnotations([sourceOf(run)], placing));
const finding = {
  operation: 'zap.quote',
  pointer: '/a',
  expected: '100 %, not 50 %',
  actual: 'y',
  exchanges: ['x1'],
  curl: 'c',
  count: 1,
};
const broken = (id: string, changes: Partial<RunJson['rules'][number]> = {}) =>
  ruleRow({ id, verdict: 'fail', findings: [finding], ...changes });

describe('annotations', () => {
  test('are one for each broken rule, an error if it fails the run', () => {
    const all = annotations(EXAMPLE_RUN);
    expect(all.map(({ name, properties }) => [name, properties.title])).toEqual([
      ['error', 'zap.path.min-return-within-amount'],
      ['warning', 'zap.errors.duplicate-keys'],
    ]);
    expect(all[0]?.data).toContain('expected at most amount, 1000000000000000000, was "1000');
    expect(all[0]?.data).toContain('\nShow it again: assay check --seed 42 --replay zap.path.min');
    const leftOut = { must: 0, should: 0, observe: 0 };
    const choice = { ...EVERY_RULE, failOn: 'should' as const, leftOut };
    expect(annotations({ ...EXAMPLE_RUN, choice }).map(({ name }) => name)).toEqual([
      'error',
      'error',
    ]);
  });

  test('stand on the operation if the contract is in the checkout, else on the configuration', () => {
    const rules = [
      broken('zap.a'),
      broken('zap.b', { findings: [{ ...finding, operation: 'zap.build' }] }),
    ];
    const [quote, build] = annotations({ ...EXAMPLE_RUN, rules });
    expect(quote?.properties).toMatchObject({ file: 'api/zap.yaml', line: '12' });
    expect(build?.properties).toMatchObject({ file: 'assay.config.yaml', line: '1' });
    const [nowhere] = annotations({ ...EXAMPLE_RUN, rules }, NOWHERE);
    expect(Object.keys(nowhere?.properties ?? {})).toEqual(['title']);
  });

  test('are ten at most, the causes first, and say how many more there are', () => {
    const special = { ...EXAMPLE_RUN.rules[1]?.counterexample, differsIn: ['body/a', 'body/b'] };
    const rules = Array.from({ length: 13 }, (_, at) =>
      broken(`zap.rule-${at}`, {
        verdict: at < 3 ? 'warn' : 'fail',
        ...(at === 12 ? {} : { counterexample: special as never }),
      }),
    );
    const all = annotations({ ...EXAMPLE_RUN, rules });
    expect(all).toHaveLength(10);
    expect(all[0]?.properties.title).toBe('zap.rule-12');
    expect(all.slice(0, 9).every(({ name }) => name === 'error')).toBe(true);
    expect(all[9]?.data).toContain('4 more problems');
    expect(annotations({ ...EXAMPLE_RUN, rules: rules.slice(0, 10) })).toHaveLength(10);
  });

  test('are made of thresholds, of what was not decided and of faults of Assay', () => {
    const rules = [ruleRow()];
    const titles = (changes: Partial<RunJson>): (string | undefined)[] =>
      annotations({ ...EXAMPLE_RUN, rules, outcome: 'conforms', ...changes }).map(
        ({ properties: { title } }) => title,
      );
    expect(titles({})).toEqual([]);
    expect(titles({ load: EXAMPLE_LOAD })).toEqual(['load.threshold', 'load.threshold']);
    const thresholds = [{ expression: 'slower<=0', held: false }];
    expect(titles({ load: { ...EXAMPLE_LOAD, thresholds } })).toEqual(['assay.undecided']);
    expect(titles({ outcome: 'undecided' })).toEqual(['assay.undecided']);
    expect(titles({ outcome: 'undecided', failure: 'x' })).toEqual(['assay.failed']);
  });

  test('come back from the runner as they were meant', () => {
    const findings = [{ ...finding, pointer: '', operation: 'a', actual: '100%0A, 5:6' }];
    const path = 'a::b,c%2C.yaml';
    const placing = { ...CONFIGURED, otherwise: { path, line: 3 } };
    const rules = [broken('zap.a', { findings })];
    const [one] = annotations({ ...EXAMPLE_RUN, rules }, placing);
    expect(one?.properties).toEqual({ file: path, line: '3', title: 'zap.a' });
    expect(one?.data.split('\n')[0]).toBe(
      'at the response as a whole of a: expected 100 %, not 50 %, was 100%0A, 5:6',
    );
  });

  test('leave out what is waived', () => {
    const rules = [broken('zap.a', { verdict: 'waived', reason: 'known' })];
    expect(annotations({ ...EXAMPLE_RUN, rules, outcome: 'conforms' })).toEqual([]);
  });

  test.each(Object.entries(HOSTILE_TEXTS))('hostile text is nothing but text: %s', (_, text) => {
    const placing = { ...CONFIGURED, otherwise: { path: text.slice(0, 500), line: 1 } };
    const output = renderAnnotations([sourceOf(hostileRun(text))], placing);
    const all = workflowCommands(output);
    expect(all).toHaveLength(3);
    expect(all.filter(({ name }) => name !== 'error' && name !== 'warning')).toEqual([]);
    expect(all).toHaveLength(output.trimEnd().split('\n').length);
    const keys = new Set(all.flatMap(({ properties }) => Object.keys(properties)));
    expect([...keys].filter((key) => !['file', 'line', 'title'].includes(key))).toEqual([]);
    expect(output).not.toContain('##[');
    expect(output).not.toMatch(/[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u);
    expect(Buffer.byteLength(output)).toBeLessThan(40_000);
  });
});
