import { expect, test } from 'vitest';
import { cpuClock } from '../../cpu-clock.testkit.ts';
import { areSegments, segmentsOf } from './path-template.ts';

function matches(template: string, path: string): boolean {
  return areSegments(path.split('/'), segmentsOf(template));
}

test.each([
  ['/a/{id}', '/a/1'],
  ['/a/{id}', '/a/{id}'],
  ['/{a}{b}', '/xy'],
  ['/{a}-{b}', '/x-y-z'],
  ['/{a}.{b}.json', '/x.json.json'],
  ['/v1/{a}:do', '/v1/x:do'],
  ['/x{a}x', '/xxx'],
  ['/{a}ab{b}', '/1abab'],
  ['/a.b/{c}', '/a.b/+(x'],
])('%s has %s', (template, path) => {
  expect(matches(template, path)).toBe(true);
});

test.each([
  ['/a/{id}', '/a/'],
  ['/a/{id}', '/a/1/2'],
  ['/a/{id}', '/b/1'],
  ['/{a}{b}', '/x'],
  ['/{a}-{b}', '/-y'],
  ['/{a}-{b}', '/x-'],
  ['/x{a}x', '/xx'],
  ['/a.b', '/axb'],
  ['/{a}b{c}b', '/1b2'],
])('%s has no %s', (template, path) => {
  expect(matches(template, path)).toBe(false);
});

test('many parameters in one segment cost a long path little', () => {
  const template = `/${'{a}'.repeat(30)}${'-{b}'.repeat(30)}!`;
  const cpuMs = cpuClock();
  expect(matches(template, `/${'a'.repeat(50_000)}${'-a'.repeat(50_000)}`)).toBe(false);
  expect(matches(`/${'{a}'.repeat(30)}`, `/${'a'.repeat(100_000)}`)).toBe(true);
  // A regular expression with so many places to begin again would not end.
  expect(cpuMs()).toBeLessThan(5_000);
});
