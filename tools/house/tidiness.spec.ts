import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { file } from '../sources/source.testkit.ts';
import { readSources } from '../sources/sources.ts';
import { crowdedFolders, longFiles, longMedian, oddNames, unreasonedLength } from './tidiness.ts';

const root = path.join(import.meta.dirname, '../..');
const everything = readSources(root);
const files = everything.map((source) => source.path);
const sources = everything.filter((source) => /\.tsx?$/.test(source.path));

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

describe('no folder is crowded', () => {
  test('in the repository', () => {
    expect(crowdedFolders(files)).toEqual([]);
  });

  test('the check counts the files of a folder, not those of its folders', () => {
    const names = Array.from({ length: 41 }, (_, at) => `cli/a/f${at}.ts`);
    expect(crowdedFolders(names)).toEqual(['cli/a has 41 files, more than 40']);
    expect(crowdedFolders([...names.slice(1), 'cli/a/b/f.ts'])).toEqual([]);
  });
});

describe('half of the files are short', () => {
  test('in the repository', () => {
    expect(longMedian(sources)).toEqual([]);
  });

  test('the check sees a median that is not, of the files of the rooms', () => {
    const long = Array.from({ length: 81 }, () => '//');
    const short = [file('cli/a.ts', ...long.slice(1)), file('cli/b.ts', ...long.slice(1))];
    expect(longMedian([...short, file('cli/c.ts', ...long)])).toEqual([]);
    expect(longMedian(['cli/a.ts', 'cli/b.ts'].map((name) => file(name, ...long)))).toHaveLength(1);
    expect(longMedian(['a.ts', 'b.ts'].map((name) => file(name, ...long)))).toEqual([]);
  });
});

describe('files that are long say why', () => {
  test('in the repository', () => {
    expect(unreasonedLength(sources)).toEqual([]);
  });

  const lines = Array.from({ length: 250 }, () => 'a();');

  test('the check sees one that does not, be it a spec', () => {
    const without = ['cli/a.ts', 'cli/a.spec.ts'].map((name) => file(name, 'a();', ...lines));
    expect(unreasonedLength(without)).toHaveLength(2);
    expect(unreasonedLength([file('cli/a.ts', ...lines)])).toEqual([]);
  });

  test.each([
    [['// Why it is long: it is a table.'], 1],
    [['a();', '/** Long because it is a table. */'], 1],
    [['/** Long because . */'], 1],
    [['/** Long because it is a table. */'], 0],
    [['/**', ' * What it is for.', ' *', ' * Long because it is a table.', ' */'], 0],
  ])('the check reads %j', (head, complaints) => {
    expect(unreasonedLength([file('cli/a.ts', ...head, ...lines)])).toHaveLength(complaints);
  });

  test('the check sees a reason that is none any more', () => {
    const short = file('cli/a.ts', '/** Long because it is a table. */', 'a();');
    expect(unreasonedLength([short])).toEqual([expect.stringContaining('and is not')]);
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

  test.each(['WITHIN a  [] 112', '> out.txt'])('the check sees %j beside the rooms', (name) => {
    expect(oddNames([name])).toEqual([`${name} has an odd name`]);
  });

  test.each([
    'suites/service/suites/zap-response.suite.ts',
    'reports/run.schema.json',
    'LICENSE',
    '.ci/run',
  ])('the check takes %s', (name) => {
    expect(oddNames([name])).toEqual([]);
  });
});
