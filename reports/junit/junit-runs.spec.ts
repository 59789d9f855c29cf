import { readFileSync } from 'node:fs';
import { XMLParser } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { EXAMPLE_LOAD } from '../../contracts/run/load/load-run.testkit.ts';
import type { RunJson } from '../../contracts/run/run.ts';
import { EXAMPLE_RUN } from '../example-run.testkit.ts';
import { HOSTILE_TEXTS, hostileRun } from '../hostile-run.testkit.ts';
import { renderJUnitOf } from './junit.ts';
import { sourceOf } from '../source.testkit.ts';

const SCHEMA = readFileSync(new URL('./junit-10.testkit.xsd', import.meta.url), 'utf8');

/** What is wrong with documents, by the schema. */
async function faultsOf(documents: readonly string[]): Promise<readonly unknown[]> {
  const xml = documents.map((contents, at) => ({ fileName: `${at}.xml`, contents }));
  return (await validateXML({ xml, schema: SCHEMA })).errors;
}

const CHECK: RunJson = { ...EXAMPLE_RUN, limits: [] };
const RUNS: Readonly<Record<string, RunJson>> = {
  'a check': CHECK,
  'limits alone': { ...EXAMPLE_RUN, rules: [] },
  load: { ...CHECK, rules: [], load: EXAMPLE_LOAD },
  'load again': { ...CHECK, rules: [], load: EXAMPLE_LOAD },
  'a run that was killed': {
    ...CHECK,
    endedAt: CHECK.startedAt,
    outcome: 'undecided',
    complete: false,
    rules: CHECK.rules.map((rule) => ({
      ...rule,
      verdict: 'not-reached',
      reason: 'no exchange of the run shows it',
      findings: [],
    })),
  },
  'a clock that was set back': { ...CHECK, endedAt: '2025-01-01T00:00:00.000Z' },
};
const named = (text = 'night'): ReturnType<typeof sourceOf>[] =>
  Object.values(RUNS).map((run, at) => sourceOf(run, [], `${text} ${at}`));

describe('JUnit keeps its schema', () => {
  test('for every kind of run, alone and together', async () => {
    const alone = Object.values(RUNS).map((run) => renderJUnitOf([sourceOf(run)]));
    expect(await faultsOf([...alone, renderJUnitOf(named())])).toEqual([]);
  });

  test('whatever the service says', async () => {
    const documents = Object.values(HOSTILE_TEXTS).map((text) =>
      renderJUnitOf([sourceOf(hostileRun(text)), sourceOf(CHECK, [], text)]),
    );
    expect(await faultsOf(documents)).toEqual([]);
  });

  test('which a document that is none does not', async () => {
    expect(await faultsOf(['<testsuites skipped="1"/>'])).not.toEqual([]);
  });
});

test('runs in one document do not meet in a name, and their totals are sums', () => {
  const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' });
  const { testsuites } = parser.parse(renderJUnitOf(named())) as {
    testsuites: { tests: string; testsuite: { name: string; tests: string; testcase: unknown }[] };
  };
  const suites = testsuites.testsuite;
  const cases = suites
    .flatMap(({ testcase }) => testcase as { classname: string; name: string })
    .map(({ classname, name }) => `${classname} ${name}`);
  expect(new Set(cases).size).toBe(cases.length);
  expect(suites.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['assay.zap (check)', 'assay.load (load stress 2)']),
  );
  expect(cases.join()).not.toContain('night');
  expect(Number(testsuites.tests)).toBe(suites.reduce((sum, { tests }) => sum + Number(tests), 0));
  expect(cases).toHaveLength(Number(testsuites.tests));
});
