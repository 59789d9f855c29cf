import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { missingPlaces } from './named-places.ts';
import { file } from '../sources/source.testkit.ts';
import { readSources } from '../sources/sources.ts';

const everything = readSources(path.join(import.meta.dirname, '../..'));

describe('the guides name files and folders that are there', () => {
  test('in the repository', () => {
    const files = everything.map((source) => source.path);
    expect(missingPlaces(everything, files)).toEqual([]);
  });

  const files = ['cli/run/a.ts', 'load/b-c.spec.ts'];

  test.each(['d.ts', 'un/a.ts', 'cli/*.ts', 'b-c.ts', 'cli/judge/', 'b.c.spec.ts'])(
    'the check sees %s',
    (name) => {
      const guide = file('ARCHITECTURE.md', `See \`${name}\`.`);
      expect(missingPlaces([guide], files)).toEqual([expect.stringContaining(name)]);
    },
  );

  test.each(['a.ts', 'run/a.ts', 'cli/run/*.ts', 'b-*.spec.ts', 'cli/run/', 'run.json', 'judge/'])(
    'the check takes %s',
    (name) => {
      expect(missingPlaces([file('CONTRIBUTING.md', `See \`${name}\`.`)], files)).toEqual([]);
    },
  );

  test('other texts name files of users', () => {
    expect(missingPlaces([file('docs/guide/a.md', 'See `assay.own.ts`.')], files)).toEqual([]);
  });
});
