import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  danglingImports,
  importsPastFaces,
  roomCycle,
  runtimeImports,
  serviceImports,
  wrongDirections,
} from './import-directions.ts';
import { fileCycles, folderCycles, knotComplaints } from './import-cycles.ts';
import { KNOWN_FILES, KNOWN_FOLDERS } from './known-knots.ts';
import { file } from '../sources/source.testkit.ts';
import { readSources, type Source } from '../sources/sources.ts';

const root = path.join(import.meta.dirname, '../..');
const everything = readSources(root);
const files = everything.map((source) => source.path);
const sources = everything.filter((source) => /\.tsx?$/.test(source.path));

/** A file that imports one other thing. */
function importing(name: string, imported: string): Source {
  return file(name, `import { a } from '${imported}';`);
}

test('there are sources to look at', () => {
  expect(sources.length).toBeGreaterThan(20);
  expect(files).toContain('tools/house/architecture.spec.ts');
});

describe('imports follow the table of the design', () => {
  test('in the repository', () => {
    expect(wrongDirections(sources)).toEqual([]);
  });

  test.each([
    ['contracts/wire/a.ts', '../judge.ts'],
    ['contracts/wire/a.ts', '../service/wire/a.ts'],
    ['contracts/service/wire/a.ts', '../rules/a.ts'],
    ['contracts/a.ts', '../fixtures/a.ts'],
    ['contracts/a.spec.ts', '../suites/a.ts'],
    ['fixtures/a.ts', '../suites/a.ts'],
    ['fixtures/a.ts', '../reports/a.ts'],
    ['fixtures/service/reference/a.ts', '../../contracts/document/schema.ts'],
    ['fixtures/service/reference/a.ts', '../../target/a.ts'],
    ['load/a.ts', '../suites/a.ts'],
    ['load/k6/a.ts', '../../contracts/judging/judge.ts'],
    ['load/k6/a.ts', '../../fixtures/a.ts'],
    ['suites/a.suite.ts', '../cli/a.ts'],
    ['suites/a.suite.ts', '../reports/a.ts'],
    ['reports/a.ts', '../fixtures/a.ts'],
  ])('%s may not import %s', (from, to) => {
    expect(wrongDirections([importing(from, to)])).toHaveLength(1);
    expect(wrongDirections([file(from, `export type { A } from '${to}';`)])).toHaveLength(1);
    expect(wrongDirections([file(from, `const a = await import('${to}');`)])).toHaveLength(1);
  });

  test.each([
    ['contracts/wire/a.ts', './b.ts'],
    ['contracts/a.ts', './wire/b.ts'],
    ['contracts/a.ts', 'ajv'],
    ['contracts/a.spec.ts', '../fixtures/a.ts'],
    ['fixtures/a.ts', './reference/a.ts'],
    ['fixtures/service/reference/a.ts', '../../../contracts/wire/a.ts'],
    ['fixtures/service/reference/a.ts', '../../../contracts/service/wire/a.ts'],
    ['fixtures/service/reference/a.spec.ts', '../../contracts/document/schema.ts'],
    ['load/k6/a.ts', '../b.ts'],
    ['suites/a.suite.ts', '../load/a.ts'],
    ['suites/self/a.spec.ts', '../../cli/a.ts'],
    ['reports/a.ts', '../contracts/a.ts'],
    ['cli/a.ts', '../reports/a.ts'],
    ['vitest.config.ts', './cli/a.ts'],
  ])('%s may import %s', (from, to) => {
    expect(wrongDirections([importing(from, to)])).toEqual([]);
  });
});

describe('the engine knows no service', () => {
  test('in the repository', () => {
    expect(serviceImports(sources)).toEqual([]);
  });

  test.each([
    ['contracts/judging/a.ts', '../service/rules/a.ts'],
    ['reports/a.ts', '../contracts/service/clauses.ts'],
    ['load/probe/a.ts', '../service/ask.ts'],
    ['suites/harness.ts', './service/drive/stages.ts'],
  ])('%s may not import %s', (from, to) => {
    expect(serviceImports([importing(from, to)])).toHaveLength(1);
    expect(serviceImports([file(from, `import type { A } from '${to}';`)])).toHaveLength(1);
  });

  test.each([
    ['contracts/service/rules/a.ts', '../../judging/rule.ts'],
    ['load/service/a.ts', '../../contracts/service/a.ts'],
    ['load/probe/a.spec.ts', '../service/ask.ts'],
    ['load/probe/a.testkit.ts', '../service/ask.ts'],
    ['cli/service.ts', '../contracts/service/index.ts'],
    ['suites/self/a.ts', '../service/drive/stages.ts'],
    ['contracts/a.ts', './service-type.ts'],
  ])('%s may import %s', (from, to) => {
    expect(serviceImports([importing(from, to)])).toEqual([]);
  });
});

describe('a folder with a public face is imported by it', () => {
  test('in the repository', () => {
    expect(importsPastFaces(sources)).toEqual([]);
  });

  test.each([
    ['load/probe/a.ts', '../limits/estimate/estimate.ts', 1],
    ['load/probe/a.spec.ts', '../limits/transcript.ts', 1],
    ['load/probe/a.ts', '../limits/index.ts', 0],
    ['load/probe/a.spec.ts', '../limits/simulated/limiters.testkit.ts', 0],
    ['load/limits/planner/a.ts', '../estimate/estimate.ts', 0],
  ])('%s imports %s', (from, to, complaints) => {
    expect(importsPastFaces([importing(from, to)])).toHaveLength(complaints);
  });
});

describe('imports name files that are there', () => {
  test('in the repository', () => {
    expect(danglingImports(sources, new Set(files))).toEqual([]);
  });

  test('the check sees one that does not', () => {
    const source = importing('cli/a.ts', './b.ts');
    expect(danglingImports([source], new Set(['cli/b.ts']))).toEqual([]);
    expect(danglingImports([source], new Set(['cli/a.ts']))).toHaveLength(1);
    expect(danglingImports([importing('cli/a.ts', '../../b.ts')], new Set())).toHaveLength(1);
  });
});

describe('runtime-neutral files import what every runtime has', () => {
  test('in the repository', () => {
    expect(runtimeImports(sources)).toEqual([]);
  });

  test('the check sees packages in contracts/wire, but not in its specs', () => {
    expect(runtimeImports([importing('contracts/wire/a.ts', 'node:fs')])).toHaveLength(1);
    expect(runtimeImports([importing('contracts/wire/a.ts', 'ajv')])).toHaveLength(1);
    expect(runtimeImports([importing('contracts/wire/a.spec.ts', 'vitest')])).toEqual([]);
  });

  test('the check sees what k6 reaches through other files', () => {
    const script = importing('load/k6/a.ts', '../b.ts');
    expect(runtimeImports([script, importing('load/b.ts', 'undici')])).toHaveLength(1);
    expect(runtimeImports([script, importing('load/b.ts', 'k6/http')])).toEqual([]);
    expect(runtimeImports([importing('load/b.ts', 'undici')])).toEqual([]);
  });
});

describe('no cycle between rooms', () => {
  test('in the repository', () => {
    expect(roomCycle(sources)).toEqual([]);
  });

  test('the check sees one', () => {
    const way = [
      importing('load/a.ts', '../fixtures/a.ts'),
      importing('fixtures/a.ts', '../contracts/a.ts'),
    ];
    expect(roomCycle(way)).toEqual([]);
    expect(roomCycle([...way, importing('contracts/b.ts', '../load/c.ts')])).toEqual([
      'contracts',
      'load',
      'fixtures',
      'contracts',
    ]);
  });
});

describe('no files and no folders need each other, but those that are known', () => {
  test('files', () => {
    expect(knotComplaints(fileCycles(sources), KNOWN_FILES)).toEqual([]);
  });

  test('folders', () => {
    expect(knotComplaints(folderCycles(sources), KNOWN_FOLDERS)).toEqual([]);
  });
});
