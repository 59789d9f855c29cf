import { expect, test } from 'vitest';
import { codeLines, figures, longFunctions } from './figures.ts';

test('lines that hold comments alone, and blank ones, are not counted', () => {
  const lines = ['/** A. */', '', '// b', 'const c = `x', '', 'y`; // d', '/* e', 'f */ g();'];
  expect(codeLines(lines.join('\n'))).toBe(4);
});

test('a function that is longer is named, with its lines', () => {
  const lines = ['export function a() {', ...Array<string>(4).fill('  b();'), '}'];
  const source = { path: 'cli/a.ts', text: lines.join('\n') };
  expect(longFunctions(source, 5)).toEqual(['cli/a.ts a 6']);
  expect(longFunctions(source, 6)).toEqual([]);
});

test('specs are left out, and tools are no part of what is shipped', () => {
  const text = 'a();';
  const report = figures(
    ['cli/a.ts', 'cli/a.spec.ts', 'tools/b.ts', 'load/c.testkit.ts'].map((path) => ({
      path,
      text,
    })),
  );
  expect(report).toMatch(/^shipped +1 files, 1 lines$/m);
  expect(report).toMatch(/^tools +1 files, 1 lines$/m);
});
