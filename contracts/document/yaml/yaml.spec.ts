import { describe, expect, test } from 'vitest';
import { cpuClock } from '../../cpu-clock.testkit.ts';
import { CONTRACT_YAML, parseYaml, YamlProblem } from './yaml.ts';

const limits = CONTRACT_YAML;

function problemOf(text: string, merge = true): YamlProblem {
  try {
    parseYaml(text, { limits, merge });
  } catch (error) {
    if (error instanceof YamlProblem) return error;
    throw error;
  }
  throw new Error('it was read');
}

function lines(count: number, line: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => line(index)).join('\n');
}

test.each([
  ['', null],
  ['a', 'a'],
  ['a: &x { b: 1 }\nc: *x\n', { a: { b: 1 }, c: { b: 1 } }],
  ['a: &x { b: 1 }\nc: { <<: *x, d: 2 }', { a: { b: 1 }, c: { b: 1, d: 2 } }],
  ['{"a":[1,2.5,{"b":null}],"c":"\\u00e9"}', { a: [1, 2.5, { b: null }], c: 'é' }],
  ['{"a":{"x":1},"b":{"x":1}}', { a: { x: 1 }, b: { x: 1 } }],
  ['[{"x":1},{"x":1}]', [{ x: 1 }, { x: 1 }]],
  ['- a\n- # b\n', ['a', null]],
  [
    '%YAML 1.1\n---\na: [2026-01-02, 2026-01-02T03:04:05Z]',
    { a: ['2026-01-02', '2026-01-02T03:04:05Z'] },
  ],
  ['%YAML 1.1\n---\n2026-01-02: 1\n2026-01-03: 2', { '2026-01-02': 1, '2026-01-03': 2 }],
  ['a: !!timestamp 2026-01-02', { a: '2026-01-02' }],
  ['a: !!binary aGk=', { a: 'aGk=' }],
  [
    'a: &x { b: 1 }\nc: &y { d: 1 }\ne: { <<: *x, <<: *y }',
    { a: { b: 1 }, c: { d: 1 }, e: { b: 1, d: 1 } },
  ],
])('%j is read', (text, value) => {
  expect(parseYaml(text, { limits, merge: true })).toEqual(value);
});

test('a merge is one only if it is asked for', () => {
  expect(parseYaml('a: { <<: { b: 1 } }', { limits })).toEqual({ a: { '<<': { b: 1 } } });
});

test.each([
  ['a: [', 'Flow sequence in block collection must be', 1],
  ['a: 1\nb:\n  c: 1\n  d: 1\n  c: 2', 'Map keys must be unique', 5],
  ['{"a":1,\n"a":2}', 'Map keys must be unique', 2],
  ['{"a":{"b":1},"c":{"b":1,"b":2}}', 'Map keys must be unique', 1],
  ["200: 1\n'200': 2", 'Map keys must be unique', 2],
  ["a: { true: 1, 'true': 2 }", 'Map keys must be unique', 1],
  ["null: 1\n'': 2", 'Map keys must be unique', 2],
  ['1: 1\n1.0: 2', 'Map keys must be unique', 2],
  ['a:\n  b: !!set { c, d }', 'A value of the tag tag:yaml.org,2002:set is none of JSON', 2],
  ['a: !!omap [b: 1]', 'A value of the tag tag:yaml.org,2002:omap is none of JSON', 1],
  ['a: 1\n---\nb: 1', 'Source contains more than one document', 2],
  ['a: &a [*a]', 'The alias a is circular: it stands in what it stands for', 1],
  ['a:\n  b: *c', 'The alias c stands for nothing that comes before it', 2],
  ['a: 1\na: 2\nb: [', 'Map keys must be unique', 2],
])('%j is reported with its place', (text, message, line) => {
  const problem = problemOf(text);
  expect(problem.message).toContain(message);
  expect([problem.place?.line, problem.isLimit]).toEqual([line, false]);
});

describe('what is too much is refused, and so soon that it takes no time', () => {
  const bomb = [
    'a0: &a0 [x, x]',
    lines(60, (index) => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}]`),
  ];
  test.each([
    ['long', `a: "${'x'.repeat(9_000_000)}"`, /has 9000005 bytes, and at most 8388608/],
    ['keys', lines(210_000, (index) => `k${index}: 1`), /more than 400000 keys, values/],
    ['items of JSON', `[${'1,'.repeat(1_100_000)}1]`, /more than 1000000 keys, values/],
    ['lists', '['.repeat(1_000_000), /more than 200 levels deep/],
    ['closed lists', '['.repeat(9_000) + ']'.repeat(9_000), /more than 200 levels deep/],
    ['mappings', '{a: '.repeat(100_000), /more than 200 levels deep/],
    ['JSON', '{"a":'.repeat(100_000), /more than 200 levels deep/],
    ['compact lists', '- '.repeat(100_000), /more than 200 levels deep/],
    ['explicit keys', '? '.repeat(100_000), /more than 200 levels deep/],
    ['indentation', lines(1_000, (index) => `${' '.repeat(index)}a:`), /more than 200 levels/],
    ['aliases of aliases', bomb.join('\n'), /aliases stand for more than 1000000/],
    ['aliases', `a: &a x\nb:\n${lines(20_000, () => '- *a')}`, /more than 10000 anchors/],
    ['merge keys', `a: &a {x: 1}\nb:\n${lines(60_000, () => '  <<: *a')}`, /more than/],
    [
      'merges of much',
      `a: &a\n${lines(5_000, (index) => `  k${index}: 1`)}\nb:\n${lines(900, () => '  - <<: *a')}`,
      /aliases stand for more than 1000000/,
    ],
  ])('%s', (_, text, message) => {
    const cpuMs = cpuClock();
    const problem = problemOf(text);
    expect(problem.message).toMatch(message);
    expect(problem.isLimit).toBe(true);
    // What it took before grew without bound.
    expect(cpuMs()).toBeLessThan(10_000);
  });
});

/** How many times as much one takes as the other: the least of each, in turns, until it is below a bound. */
function timesAsMuch(one: () => void, other: () => void, bound: number): number {
  let [ofOne, ofOther] = [Infinity, Infinity];
  const cpuMsOf = (work: () => void): number => {
    const cpuMs = cpuClock();
    work();
    return cpuMs();
  };
  // The first round is that of a program which is not compiled yet.
  for (let round = 0; round < 2 || (round < 6 && ofOne / ofOther >= bound); round += 1) {
    ofOther = Math.min(ofOther, cpuMsOf(other));
    ofOne = Math.min(ofOne, cpuMsOf(one));
  }
  return ofOne / ofOther;
}

describe('what four times as long a text takes is not sixteen times as much', () => {
  test.each([
    ['keys', (count: number) => lines(count, (index) => `k${index}: ${index}`)],
    ['keys of a flow', (count: number) => `{${lines(count, (index) => `k${index}: 1,`)}}`],
    ['keys that stand twice', (count: number) => lines(count, () => 'k: 1')],
    ['documents', (count: number) => lines(count, () => '---\na: 1')],
    ['tags', (count: number) => lines(count, (index) => `- !t${index} x`)],
    ['directives', (count: number) => `${lines(count, () => '%FOO bar')}\n---\na: 1`],
    ['commas', (count: number) => `[${','.repeat(count)}]`],
    ['properties', (count: number) => `${'&a '.repeat(count)}x`],
    ['ends', (count: number) => ']'.repeat(count)],
  ])('%s', (_, made) => {
    const [few, many] = [made(3_000), made(12_000)];
    const read = (text: string) => (): void => {
      try {
        parseYaml(text, { limits });
      } catch (error) {
        if (!(error instanceof YamlProblem)) throw error;
      }
    };
    expect(timesAsMuch(read(many), read(few), 11)).toBeLessThan(11);
  });
});
