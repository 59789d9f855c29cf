import path from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  danglingImports,
  roomCycle,
  runtimeImports,
  serviceImports,
  wrongDirections,
} from './import-directions.ts';
import { fileCycles, folderCycles, knotComplaints } from './import-cycles.ts';
import { KNOWN_FILES, KNOWN_FOLDERS } from './known-knots.ts';
import { readSources, type Source } from './sources.ts';
import { droppedAssertions, foreignHosts, longFiles, narrowedTests, oddNames } from './tidiness.ts';

const root = path.join(import.meta.dirname, '../../..');
const everything = readSources(root);
const files = everything.map((source) => source.path);
const sources = everything.filter((source) => /\.tsx?$/.test(source.path));
const texts = everything.filter(
  (source) =>
    /\.(?:tsx?|js|json|ya?ml|md|html|css)$/.test(source.path) &&
    source.path !== 'package-lock.json',
);

/** A file of one line for each text, for tests of the checks themselves. */
function file(name: string, ...lines: string[]): Source {
  return { path: name, text: lines.map((line) => `${line}\n`).join('') };
}

/** A file that imports one other thing. */
function importing(name: string, imported: string): Source {
  return file(name, `import { a } from '${imported}';`);
}

test('there are sources to look at', () => {
  expect(sources.length).toBeGreaterThan(20);
  expect(files).toContain('suites/self/house/architecture.spec.ts');
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
    ['contracts/a.spec.ts', '../fixtures/a.ts'],
    ['fixtures/a.ts', '../suites/a.ts'],
    ['fixtures/a.ts', '../reports/a.ts'],
    ['fixtures/service/reference/a.ts', '../../../contracts/document/schema.ts'],
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
    ['fixtures/a.ts', './reference/a.ts'],
    ['fixtures/service/reference/a.ts', '../../../contracts/wire/a.ts'],
    ['fixtures/service/reference/a.ts', '../../../contracts/service/wire/a.ts'],
    ['fixtures/service/reference/a.spec.ts', '../../../contracts/document/schema.ts'],
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

describe('files are short', () => {
  test('in the repository', () => {
    expect(longFiles(sources)).toEqual([]);
  });

  test('the check sees a long one, unless it is a spec', () => {
    const lines = Array.from({ length: 351 }, () => '//');
    expect(longFiles([file('cli/a.ts', ...lines)])).toHaveLength(1);
    expect(longFiles([file('cli/a.ts', ...lines.slice(1))])).toEqual([]);
    expect(longFiles([file('cli/a.spec.ts', ...lines)])).toEqual([]);
  });
});

describe('names are in kebab-case', () => {
  test('in the repository', () => {
    expect(oddNames(files)).toEqual([]);
  });

  test.each(['cli/aB.ts', 'cli/a_b.ts', 'Cli/a.ts', 'load/Big/a.ts', 'cli/a--b.ts'])(
    'the check sees %s, if it is in a room',
    (name) => {
      expect(oddNames([name])).toHaveLength(name.startsWith('Cli') ? 0 : 1);
    },
  );

  test.each([
    'suites/service/suites/2-2-zap-response.suite.ts',
    'reports/run.schema.json',
    'LICENSE',
  ])('the check takes %s', (name) => {
    expect(oddNames([name])).toEqual([]);
  });
});

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

describe('no host of a real service is named', () => {
  test('in the repository', () => {
    expect(foreignHosts(texts)).toEqual([]);
  });

  // In two parts, so that the check does not see them here.
  test.each([
    'https:' + '//api.service.com/v1',
    'http:' + '//10.0.0.1:80/',
    'wss:' + '//stream.service.io',
    'https:' + '//user:word@service.org/',
    'HTTPS:' + '//Service.XYZ',
    'https:' + '//service.com${path}',
    'https:' + '//127.0.0.1.service.com',
    'https:' + '//example.com.service.net',
    'http:' + '//127.0.0.1@service.com/',
    'https:' + '//www.npmjs.com/package/a',
  ])('the check sees %s', (url) => {
    expect(foreignHosts([file('cli/a.ts', '', `const a = '${url}';`)])).toEqual([
      expect.stringContaining('cli/a.ts:2'),
    ]);
  });

  test.each([
    'http://127.0.0.1:4000/v1',
    'http://localhost',
    'http://[::1]:80/',
    'https://zap.example/v1',
    'https://api.zap.test.',
    'https://user:word@zap.invalid/',
    'https://json-schema.org/draft/2020-12/schema',
    'http://${host}:${port}/',
    'https://api.${domain}',
    'http://h',
    '{zap_url}/v1, https://<host>/',
  ])('the check takes %s', (url) => {
    expect(foreignHosts([file('cli/a.ts', `const a = '${url}';`)])).toEqual([]);
  });

  test('texts may point to documentation', () => {
    const link = 'https:' + '//www.npmjs.com/package/a';
    expect(foreignHosts([file('README.md', link)])).toEqual([]);
  });
});
