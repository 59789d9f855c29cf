/** Long because all promises of the format are tried on the same run. */

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { XMLParser } from 'fast-xml-parser';
import { SyntaxValidator } from 'fast-xml-validator';
import { describe, expect, test } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { EVERY_RULE } from '../../contracts/judging/rule-choice.ts';
import { type RunJson, type RunRuleRow, VERDICTS } from '../../contracts/run/run.ts';
import { EXAMPLE_LOAD } from '../../contracts/run/load/load-run.testkit.ts';
import { NOT_COVERED } from '../../contracts/run/record-lines.ts';
import { EXAMPLE_RUN, ruleRow } from '../example-run.testkit.ts';
import { renderJUnit } from './junit.ts';

interface Suites {
  testsuites: Record<string, string> & { testsuite: Suite[] };
}
type Suite = Record<string, string> & { testcase: Case[] };
type Case = Record<string, string> & {
  failure?: Record<string, string>;
  skipped?: Record<string, string>;
};

/** Whether the text is well-formed XML. */
function isXml(xml: string): boolean {
  try {
    return SyntaxValidator.validate(xml);
  } catch {
    return false;
  }
}

function parse(xml: string): Suites {
  expect(isXml(xml)).toBe(true);
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '',
    parseTagValue: false,
    parseAttributeValue: false,
    trimValues: false,
    processEntities: { enabled: true, maxTotalExpansions: Infinity, maxExpandedLength: Infinity },
    isArray: (name) => ['testsuite', 'testcase'].includes(name),
  });
  return parser.parse(xml) as Suites;
}

/** What of a text XML 1.0 can hold. */
function legal(text: string): string {
  return Array.from(text)
    .filter((char) => {
      const code = char.codePointAt(0) ?? 0;
      if (code < 0x20) return code === 9 || code === 10 || code === 13;
      return !(code >= 0xd800 && code <= 0xdfff) && code !== 0xfffe && code !== 0xffff;
    })
    .join('');
}

const finding = {
  pointer: '/a',
  expected: 'x',
  actual: 'y',
  exchanges: ['x1'],
  curl: 'c',
  count: 1,
};

describe('a run that is no whole one', () => {
  const cut: RunJson = {
    ...EXAMPLE_RUN,
    outcome: 'undecided',
    complete: false,
    rules: [ruleRow({ verdict: 'not-reached', reason: 'no exchange of the run shows it' })],
    notices: ['The run did not come to its end.', 'It had <begun>.'],
  };

  test.each([
    ['partial', {}, 'undecided: The run did not come to its end (partial)'],
    ['undecided', { complete: true }, 'undecided: The run did not come to its end'],
    ['failure-of-assay', { complete: true, failure: 'no ink' }, 'Assay itself failed: no ink'],
  ])('is an error of type %s beside cases that are skipped', (type, change, message) => {
    const { testsuites } = parse(renderJUnit({ ...cut, ...change }));
    expect(testsuites).toMatchObject({ tests: '2', failures: '0', errors: '1' });
    const [, end] = testsuites.testsuite;
    expect(end).toMatchObject({ name: 'assay.run', tests: '1', errors: '1', skipped: '0' });
    const [only] = end?.testcase ?? [];
    expect(only).toMatchObject({ classname: 'assay.run', error: { type, message } });
    expect(JSON.stringify(only)).toContain('It had <begun>.');
  });

  test('and one that came to a verdict has no such case', () => {
    const whole: RunJson = { ...cut, complete: true, outcome: 'conforms' };
    expect(renderJUnit(whole)).not.toContain('assay.run');
    const again = { ...cut, complete: true, replayed: { verdict: 'not-shown' } } as const;
    expect(renderJUnit(again)).not.toContain('assay.run');
  });
});

describe('renderJUnit', () => {
  test('has a suite for each API with rules, and a case for each rule', () => {
    const { testsuites } = parse(renderJUnit(EXAMPLE_RUN));
    expect(testsuites).toMatchObject({ tests: '8', failures: '1', errors: '0' });
    expect(testsuites.time).toBe('12.400');
    expect(testsuites.testsuite.map((suite) => [suite.name, suite.tests, suite.skipped])).toEqual([
      ['assay.zap', '5', '0'],
      ['assay.trade', '3', '3'],
    ]);
    const names = testsuites.testsuite.flatMap(({ testcase }) => testcase.map(({ name }) => name));
    const configured = EXAMPLE_RUN.rules.filter(({ api }) => api !== 'docs');
    expect(names).toEqual(configured.map(({ id }) => id));
  });

  test('rules of an API that is not configured are left out, unless something was seen of them', () => {
    const docs = (verdict: RunRuleRow['verdict']): RunRuleRow =>
      ruleRow({ id: `docs.${verdict}`, api: 'docs', verdict });
    const rules = [docs('not-reached'), docs('observed')];
    const { testsuites } = parse(renderJUnit({ ...EXAMPLE_RUN, rules }));
    expect(testsuites.tests).toBe('1');
    expect(testsuites.testsuite[0]?.testcase.map(({ name }) => name)).toEqual(['docs.observed']);
  });

  test('the run has a time, its suites and test cases have none', () => {
    const { testsuites } = parse(renderJUnit(EXAMPLE_RUN));
    const suites = testsuites.testsuite;
    expect(testsuites.time).toBe('12.400');
    expect(
      [...suites, ...suites.flatMap(({ testcase }) => testcase)].filter((e) => 'time' in e),
    ).toEqual([]);
  });

  test('a failure names its seed, and how to replay it', () => {
    const xml = renderJUnit(EXAMPLE_RUN);
    const cases = parse(xml).testsuites.testsuite.flatMap(({ testcase }) => testcase);
    const [shown] = cases.flatMap(({ failure }) => failure?.['#text'] ?? []);
    expect(shown).toContain('\nseed     42\n');
    expect(shown).toContain('--seed 42 --replay zap.path.min-return-within-amount@drive:17');
    const rules = [ruleRow({ verdict: 'fail', findings: [finding] })];
    const [[only] = []] = parse(renderJUnit({ ...EXAMPLE_RUN, rules })).testsuites.testsuite.map(
      ({ testcase }) => testcase,
    );
    expect(only?.failure?.['#text']).toMatch(/\nseed {5}42$/);
  });

  test('says once what nothing covers of a record of an earlier version, and keeps the schema', async () => {
    const contents = renderJUnit({ ...EXAMPLE_RUN, notices: [NOT_COVERED] });
    expect(contents.split(NOT_COVERED)).toHaveLength(2);
    expect(renderJUnit(EXAMPLE_RUN)).not.toContain(NOT_COVERED);
    const { errors } = await validateXML({
      xml: { fileName: 'junit.xml', contents },
      schema: readFileSync(new URL('./junit-10.testkit.xsd', import.meta.url), 'utf8'),
    });
    expect(errors).toEqual([]);
  });

  test.each(['must', 'should'] as const)('keeps the schema, with --fail-on %s', async (failOn) => {
    const rules = [
      ...EXAMPLE_RUN.rules,
      ...VERDICTS.map((verdict) =>
        ruleRow({ id: `zap.${verdict}`, verdict, reason: 'why', findings: [finding] }),
      ),
    ];
    const choice = { ...EVERY_RULE, failOn, leftOut: { must: 0, should: 0, observe: 0 } };
    const { errors } = await validateXML({
      xml: { fileName: 'junit.xml', contents: renderJUnit({ ...EXAMPLE_RUN, choice, rules }) },
      schema: readFileSync(new URL('./junit-10.testkit.xsd', import.meta.url), 'utf8'),
    });
    expect(errors).toEqual([]);
  });

  test('a warning is a failure if the run fails on it', () => {
    const choice = {
      ...EVERY_RULE,
      failOn: 'should' as const,
      leftOut: { must: 0, should: 0, observe: 0 },
    };
    const { testsuites } = parse(renderJUnit({ ...EXAMPLE_RUN, choice }));
    expect(testsuites.failures).toBe('2');
  });

  test.each([
    ['pass', []],
    ['fail', ['failure']],
    ['warn', ['system-out']],
    ['observed', ['skipped']],
    ['inconclusive', ['skipped']],
    ['not-reached', ['skipped']],
    ['waived', ['skipped', 'system-out']],
  ] as const)('%s shows as %j', (verdict, elements) => {
    const broken = ['fail', 'warn', 'waived'].includes(verdict);
    const rule = ruleRow({ verdict, reason: 'why', findings: broken ? [finding] : [] });
    const xml = renderJUnit({ ...EXAMPLE_RUN, rules: [rule] });
    const [shown] = parse(xml).testsuites.testsuite[0]?.testcase ?? [];
    const { classname, name, ...rest } = shown ?? {};
    expect([classname, name]).toEqual(['assay.zap', rule.id]);
    // Between the elements stands white space.
    expect(Object.keys(rest).filter((key) => key !== '#text')).toEqual(elements);
    if (shown?.skipped !== undefined) expect(shown.skipped.message).toBe(`${verdict}: why`);
  });

  test('knows every verdict', () => {
    const rules = VERDICTS.map((verdict) => ruleRow({ verdict }));
    const { testsuites } = parse(renderJUnit({ ...EXAMPLE_RUN, rules }));
    expect(testsuites).toMatchObject({ tests: '7', failures: '1' });
    expect(testsuites.testsuite[0]?.skipped).toBe('4');
  });

  test('any text comes back, less what XML cannot hold', () => {
    const markup = fc.constantFrom('&', '<', '>', '"', "'", ']]>', '&lt;', '&#0;', '<!--', 'true');
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.oneof(markup, fc.string())).map((parts) => parts.join('')),
      fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
    );
    fc.assert(
      fc.property(texts, texts, texts, (actual, id, reason) => {
        const rules = [
          ruleRow({ id, verdict: 'fail', findings: [{ ...finding, actual }] }),
          ruleRow({ id, verdict: 'not-reached', reason }),
        ];
        const { testsuites } = parse(renderJUnit({ ...EXAMPLE_RUN, rules }));
        const [failed, skipped] = testsuites.testsuite[0]?.testcase ?? [];
        const line = (text: string): string => legal(text).replace(/\s+/g, ' ');
        expect(failed?.name).toBe(line(id));
        expect(failed?.failure?.message).toBe(
          line(`expected x, was ${actual === '' ? 'nothing' : actual}`),
        );
        expect(failed?.failure?.['#text']).toContain(
          `actual   ${legal(actual).replace(/\r\n?/g, '\n')}\n`,
        );
        expect(skipped?.skipped?.message).toBe(line(`not-reached: ${reason}`));
      }),
      { numRuns: 300 },
    );
  });

  test('a run without rules is still a document', () => {
    const xml = renderJUnit({ ...EXAMPLE_RUN, rules: [] });
    expect(xml).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<testsuites /);
    expect(isXml(xml)).toBe(true);
  });
});

describe('the thresholds of a load run', () => {
  const suiteOf = (load: typeof EXAMPLE_LOAD): Suite | undefined =>
    parse(renderJUnit({ ...EXAMPLE_RUN, load })).testsuites.testsuite.find(
      ({ name }) => name === 'assay.load',
    );

  test('are test cases of their own, and count among all', () => {
    const suite = suiteOf(EXAMPLE_LOAD);
    expect(suite).toMatchObject({ tests: '3', failures: '2', skipped: '0' });
    expect(suite?.testcase.map(({ name }) => name)).toEqual([
      'p99<300ms',
      'violations==0',
      'zap.pools:p99<1s',
    ]);
    expect(suite?.testcase[1]?.failure?.message).toBe('expected violations==0, was 3 violations');
    expect(suite?.testcase[2]?.failure?.message).toContain('was 1.4');
    const { tests, failures } = parse(
      renderJUnit({ ...EXAMPLE_RUN, load: EXAMPLE_LOAD }),
    ).testsuites;
    const plain = parse(renderJUnit(EXAMPLE_RUN)).testsuites;
    expect(Number(tests) - Number(plain.tests)).toBe(3);
    expect(Number(failures) - Number(plain.failures)).toBe(2);
  });

  test('are skipped if the figures do not count, but for what is certain', () => {
    const suite = suiteOf({ ...EXAMPLE_LOAD, invalid: ['It was late.'] });
    expect(suite).toMatchObject({ tests: '3', failures: '1', skipped: '2' });
    expect(suite?.testcase[0]?.skipped?.message).toBe('It was late.');
  });

  test('are skipped if a comparison with earlier runs showed nothing', () => {
    const thresholds = [{ expression: 'slower==0', held: false }];
    const suite = suiteOf({ ...EXAMPLE_LOAD, thresholds });
    expect(suite).toMatchObject({ tests: '1', failures: '0', skipped: '1' });
    expect(suite?.testcase[0]?.skipped?.message).toContain('showed nothing');
    const broken = [{ expression: 'slower==0', measured: 1, held: false }];
    expect(suiteOf({ ...EXAMPLE_LOAD, thresholds: broken })).toMatchObject({ failures: '1' });
  });

  test('keep to the schema', async () => {
    const schema = readFileSync(`${import.meta.dirname}/junit-10.testkit.xsd`, 'utf8');
    const load = { ...EXAMPLE_LOAD, invalid: ['It was late.'] };
    const { errors } = await validateXML({
      xml: [{ fileName: 'junit.xml', contents: renderJUnit({ ...EXAMPLE_RUN, load }) }],
      schema: [schema],
    });
    expect(errors).toEqual([]);
  });
});
