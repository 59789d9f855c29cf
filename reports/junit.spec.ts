import fc from 'fast-check';
import { XMLParser } from 'fast-xml-parser';
import { SyntaxValidator } from 'fast-xml-validator';
import { describe, expect, test } from 'vitest';
import { VERDICTS } from '../contracts/run.ts';
import { EXAMPLE_RUN, ruleRow } from './example-run.testkit.ts';
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

describe('renderJUnit', () => {
  test('has a suite for each API with rules, and a case for each rule', () => {
    const { testsuites } = parse(renderJUnit(EXAMPLE_RUN));
    expect(testsuites).toMatchObject({ tests: '11', failures: '1', errors: '0', skipped: '6' });
    expect(testsuites.time).toBe('12.400');
    expect(testsuites.testsuite.map((suite) => [suite.name, suite.tests, suite.skipped])).toEqual([
      ['assay.zap', '5', '0'],
      ['assay.trade', '3', '3'],
      ['assay.docs', '3', '3'],
    ]);
    const names = testsuites.testsuite.flatMap(({ testcase }) => testcase.map(({ name }) => name));
    expect(names).toEqual(EXAMPLE_RUN.rules.map(({ id }) => id));
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
    expect(testsuites).toMatchObject({ tests: '7', failures: '1', skipped: '4' });
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
        expect(failed?.failure?.message).toBe(line(`expected x, was ${actual}`));
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
