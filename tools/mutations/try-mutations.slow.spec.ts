import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { packageRoot } from '../../contracts/document/package-root.ts';
import { mutationsOf, type Mutation } from './mutation.ts';
import { runSpecs } from './spec-run.ts';
import { tryMutations } from './try-mutations.ts';

const SOURCE = 'export const more = (x: number): boolean => x > 1;\n';
let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-mutations-'));
  symlinkSync(join(packageRoot(import.meta.url), 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'a.ts'), SOURCE);
  spec("import { more } from './a.ts';", 'expect(more(2)).toBe(true);');
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function spec(imports: string, body: string): void {
  const text = `import { expect, test } from 'vitest';\n${imports}\ntest('two is more', () => {${body}});\n`;
  writeFileSync(join(folder, 'a.spec.ts'), text);
}

const mutations = (to: string): Mutation[] =>
  mutationsOf('a.ts', ['a.spec.ts'], [['x > 1', to, `it is ${to}`]]);
const trying = (all: readonly Mutation[]): ReturnType<typeof tryMutations> =>
  tryMutations({ mutations: all, folders: [folder], onOutcome: () => undefined });

test('an edit that a spec notices is killed, another survives, and both are taken back', async () => {
  const outcomes = await trying([...mutations('x < 1'), ...mutations('x >= 1')]);
  expect(outcomes.map(({ run }) => [run.kind, run.failed])).toEqual([
    ['failed', ['two is more']],
    ['passed', []],
  ]);
  expect(readFileSync(join(folder, 'a.ts'), 'utf8')).toBe(SOURCE);
});

test('nothing is tried if an edit cannot be made, or the specs are red without one', async () => {
  const missing = mutationsOf('a.ts', ['a.spec.ts'], [['x > 2', 'x', 'nothing']]);
  await expect(trying([...mutations('x < 1'), ...missing])).rejects.toThrow('x > 2');
  spec('', 'expect(1).toBe(2);');
  await expect(trying(mutations('x < 1'))).rejects.toThrow('two is more');
});

test('specs that come to no end are ended, with all that they started', async () => {
  spec('', 'for (;;) expect(1).toBe(1);');
  const run = await runSpecs(folder, ['a.spec.ts'], { limitSeconds: 5, workers: 1 });
  expect(run).toMatchObject({ kind: 'endless', failed: [] });
});
