import { describe, expect, test } from 'vitest';
import { fileCycles, folderCycles, knotComplaints } from './import-cycles.ts';
import type { Source } from '../sources/sources.ts';

/** A file that imports others. */
function importing(name: string, ...imported: readonly string[]): Source {
  return { path: name, text: imported.map((one) => `import { a } from '${one}';\n`).join('') };
}

describe('files that need each other', () => {
  test('are found by a way back over a third file, and by types as well', () => {
    const way = [importing('load/a.ts', './b.ts'), importing('load/b.ts', './c.ts')];
    expect(fileCycles([...way, importing('load/c.ts')])).toEqual([]);
    const back = { path: 'load/c.ts', text: "import type { A } from './a.ts';" };
    expect(fileCycles([...way, back])).toEqual([['load/a.ts', 'load/b.ts', 'load/c.ts']]);
  });

  test('are not looked for among what specs share', () => {
    const kit = importing('load/a.testkit.ts', './b.testkit.ts');
    expect(fileCycles([kit, importing('load/b.testkit.ts', './a.testkit.ts')])).toEqual([]);
  });
});

describe('folders that need each other', () => {
  test('are found where their files do not', () => {
    const there = importing('load/a/x.ts', '../b/y.ts');
    const back = importing('load/b/z.ts', '../a/v.ts');
    const ends = [importing('load/b/y.ts'), importing('load/a/v.ts')];
    expect(folderCycles([there, ...ends, importing('load/b/z.ts')])).toEqual([]);
    expect(folderCycles([there, back, ...ends])).toEqual([['load/a', 'load/b']]);
    expect(fileCycles([there, back, ...ends])).toEqual([]);
  });

  test('are not a folder and what is within it', () => {
    const files = [importing('load/a/x.ts', './b/y.ts'), importing('load/a/b/y.ts', '../z.ts')];
    expect(folderCycles([...files, importing('load/a/z.ts')])).toEqual([]);
  });
});

test('a knot that is known may only shrink', () => {
  const known = [{ why: 'for now', members: ['load/a', 'load/b', 'load/c'] }];
  expect(knotComplaints([['load/a', 'load/b', 'load/c']], known)).toEqual([]);
  expect(knotComplaints([['load/a', 'load/b']], known)).toEqual([
    expect.stringContaining('load/c'),
  ]);
  expect(knotComplaints([['load/a', 'load/b', 'load/c', 'load/d']], known)).toHaveLength(1);
});
