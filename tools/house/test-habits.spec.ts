import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { file } from '../sources/source.testkit.ts';
import { readSources } from '../sources/sources.ts';
import { droppedAssertions, narrowedTests } from './test-habits.ts';

const root = path.join(import.meta.dirname, '../..');
const sources = readSources(root).filter((source) => /\.tsx?$/.test(source.path));

describe('no test is left out', () => {
  test('in the repository', () => {
    expect(narrowedTests(sources)).toEqual([]);
  });

  test.each(['test.only("a", f);', 'describe.skip("a", f);', 'it.only.each([1])("a", f);'])(
    'the check sees %s',
    (line) => {
      expect(narrowedTests([file('cli/a.spec.ts', '', line)])).toEqual([
        expect.stringContaining('cli/a.spec.ts:2'),
      ]);
    },
  );

  test.each(['// test.only(', "const a = 'test.skip(';", 'reader.skip(2);', 'test.each([1])();'])(
    'the check takes %s',
    (line) => {
      expect(narrowedTests([file('cli/a.spec.ts', line)])).toEqual([]);
    },
  );
});

describe('no property is dropped', () => {
  test('in the repository', () => {
    expect(droppedAssertions(sources)).toEqual([]);
  });

  test.each([
    'fc.assert(fc.asyncProperty(a, async () => {}));',
    'void fc.assert(fc.asyncProperty(a, async () => {}));',
    'fc.assert(fc.property(a, async () => {}));',
    'fc.assert(fc.asyncProperty(a, f).beforeEach(g), { numRuns: 1 });',
    'fc.assert(propertyOf(a));',
  ])('the check sees %s', (line) => {
    expect(droppedAssertions([file('cli/a.spec.ts', line)])).toHaveLength(1);
  });

  test.each([
    'await fc.assert(fc.asyncProperty(a, async () => {}));',
    'const f = () => fc.assert(fc.asyncProperty(a, async () => {}));',
    'function f() { return fc.assert(fc.asyncProperty(a, async () => {})); }',
    'fc.assert(fc.property(a, () => {}));',
    'fc.assert(fc.property(a, () => {}).afterEach(g));',
    "const text = 'fc.assert(fc.asyncProperty())';",
  ])('the check takes %s', (line) => {
    expect(droppedAssertions([file('cli/a.spec.ts', line)])).toEqual([]);
  });
});
