import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOMS, wrongImports } from './import-rules.ts';

/** A file, what it imports, and the beginning of the name of the rule that refuses it. */
const REFUSED: readonly (readonly [from: string, to: string, rule: string])[] = [
  ['contracts/wire/a.ts', 'contracts/judge.ts', 'contracts/wire may import'],
  ['contracts/wire/b.ts', 'contracts/service/wire/w.ts', 'contracts/wire may import'],
  ['contracts/wire/c.ts', 'node:fs', 'contracts/wire runs'],
  ['contracts/wire/d.ts', 'ajv', 'contracts/wire runs'],
  ['contracts/service/wire/a.ts', 'contracts/rules/r.ts', 'contracts/service/wire may import'],
  ['contracts/a.ts', 'fixtures/f.ts', 'contracts may import'],
  ['contracts/a.spec.ts', 'suites/s.ts', 'contracts may import'],
  ['target/a.ts', 'fixtures/f.ts', 'target may import'],
  ['fixtures/a.ts', 'suites/s.ts', 'fixtures may import'],
  ['fixtures/b.testkit.ts', 'reports/r.ts', 'fixtures may import'],
  ['fixtures/service/reference/a.ts', 'contracts/judge.ts', 'fixtures/service/reference may'],
  ['fixtures/service/reference/b.ts', 'target/t.ts', 'fixtures/service/reference may'],
  ['load/a.ts', 'suites/s.ts', 'load may import'],
  ['load/k6/a.ts', 'contracts/judge.ts', 'load/k6 may import'],
  ['load/k6/b.ts', 'load/with-undici.ts', 'what k6 loads'],
  ['suites/a.suite.ts', 'cli/c.ts', 'suites may import'],
  ['suites/a.spec.ts', 'cli/c.ts', 'suites may import'],
  ['reports/a.ts', 'fixtures/f.ts', 'reports may import'],
  ['cli/a.ts', 'tools/t.ts', 'cli may import'],
  ['suites/self/a.spec.ts', 'tools/t.ts', 'suites/self may import'],
  ['contracts/judging/a.ts', 'contracts/service/rules/r.ts', 'the engine knows'],
  ['suites/b.ts', 'suites/service/s.ts', 'the engine knows'],
  ['load/probe/a.ts', 'load/limits/estimate/e.ts', 'load/limits is'],
  ['load/probe/a.spec.ts', 'load/limits/estimate/e.ts', 'load/limits is'],
  ['load/x/a.ts', 'load/x/b.ts', 'no two files'],
  ['load/y/a.ts', 'load/z/b.ts', 'no two folders'],
];

/** Files, and what they may import. */
const ALLOWED: readonly (readonly [from: string, to: string])[] = [
  ['load/x/b.ts', 'load/x/a.ts'],
  ['load/z/c.ts', 'load/y/d.ts'],
  ['contracts/e.ts', 'contracts/wire/w.ts'],
  ['contracts/f.ts', 'ajv'],
  ['contracts/wire/w.spec.ts', 'vitest'],
  ['contracts/b.spec.ts', 'fixtures/f.ts'],
  ['target/b.ts', 'contracts/judge.ts'],
  ['target/b.spec.ts', 'fixtures/f.ts'],
  ['fixtures/service/reference/c.ts', 'contracts/service/wire/w.ts'],
  ['fixtures/service/reference/c.spec.ts', 'contracts/judge.ts'],
  ['load/k6/c.ts', 'load/l.ts'],
  ['load/with-undici.ts', 'undici'],
  ['load/probe/b.ts', 'load/limits/index.ts'],
  ['load/probe/b.spec.ts', 'load/limits/simulated/s.testkit.ts'],
  ['load/limits/planner/p.ts', 'load/limits/estimate/e.ts'],
  ['suites/c.ts', 'load/l.ts'],
  ['suites/self/b.spec.ts', 'cli/c.ts'],
  ['suites/self/c.ts', 'suites/service/s.ts'],
  ['reports/b.ts', 'contracts/judge.ts'],
  ['cli/b.ts', 'contracts/service/rules/r.ts'],
  ['tools/u.ts', 'cli/c.ts'],
  ['contracts/service/rules/s.ts', 'contracts/judge.ts'],
  ['load/k.testkit.ts', 'load/k2.testkit.ts'],
  ['load/k2.testkit.ts', 'load/k.testkit.ts'],
];

describe('the check of imports', () => {
  let copy = '';
  let found: readonly string[] = [];

  function importing(from: string, to: string): void {
    mkdirSync(path.join(copy, path.dirname(from)), { recursive: true });
    const isFile = /^\w+\/.*\.ts$/.test(to);
    const relative = path.posix.relative(path.posix.dirname(from), to);
    const name = !isFile ? to : relative.startsWith('.') ? relative : `./${relative}`;
    writeFileSync(path.join(copy, from), `import type { A } from '${name}';\nexport type { A };\n`);
  }

  beforeAll(async () => {
    copy = mkdtempSync(path.join(tmpdir(), 'assay-imports-'));
    for (const room of ROOMS) mkdirSync(path.join(copy, room));
    const all = [...REFUSED, ...ALLOWED];
    for (const [from, to] of all) importing(from, to);
    for (const [, to] of all) {
      if (!/^\w+\/.*\.ts$/.test(to) || existsSync(path.join(copy, to))) continue;
      mkdirSync(path.join(copy, path.dirname(to)), { recursive: true });
      writeFileSync(path.join(copy, to), 'export type A = 1;\n');
    }
    found = await wrongImports(copy);
  });
  afterAll(() => {
    rmSync(copy, { recursive: true });
  });

  test.each(REFUSED)('%s may not import %s', (from, _, rule) => {
    const name = rule === 'no two folders' ? path.posix.dirname(from) : from;
    expect(found).toContainEqual(expect.stringMatching(`^${name} → .*: ${rule}`));
  });

  test.each(ALLOWED)('%s may import %s', (from) => {
    const others = found.filter((line) => !line.includes('no two f'));
    expect(others.filter((line) => line.startsWith(`${from} `))).toEqual([]);
  });

  test('test kits may need each other', () => {
    expect(found.filter((line) => line.includes('testkit') && line.includes('no two'))).toEqual([]);
  });
});
