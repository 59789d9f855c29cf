import { expect, test } from 'vitest';
import { contractOfFiles } from '../contract-of.testkit.ts';
import { type Files, NUMBER, REF, root, takes, TEXT } from './references.testkit.ts';

test.each<[what: string, files: Files, good: unknown, bad: unknown]>([
  [
    'by a pointer into a file with an $id that says no dialect, and on from there',
    {
      'a.json': root({ properties: { a: REF('s.json#/$defs/A'), b: REF('s.json#/parts/B') } }),
      's.json': {
        $id: 'https://x.invalid/s/s.json',
        $defs: {
          A: { properties: { x: REF('parts/t.json') } },
          T: { $id: 'parts/t.json', ...TEXT },
        },
        parts: { B: { properties: { x: REF('parts/t.json') } } },
      },
      'parts/t.json': NUMBER,
    },
    { a: { x: 'a' }, b: { x: 'a' } },
    { b: { x: 1 } },
  ],
  [
    'by an anchor of a file that has an $id, under the name of the file',
    {
      'a.json': root(REF('s.json#A')),
      's.json': {
        $id: 'https://x.invalid/s/s.json',
        $defs: { A: { $anchor: 'A', items: REF('#T') }, T: { $anchor: 'T', ...TEXT } },
      },
    },
    ['a'],
    [1],
  ],
  [
    'to a file beside one that has an $id of its own',
    {
      'a.json': root(REF('parts/b.json')),
      'parts/b.json': { $id: 'https://x.invalid/s/b.json', $ref: 'c.json' },
      'parts/c.json': {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        $id: 'https://x.invalid/s/c.json',
        ...TEXT,
      },
    },
    'a',
    1,
  ],
])('a reference leads to the schema that an $id names: %s', async (_, files, good, bad) => {
  const contract = await contractOfFiles(files);
  expect([takes(contract, good), takes(contract, bad)]).toEqual([true, false]);
});
