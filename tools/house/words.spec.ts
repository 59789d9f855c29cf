import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { file } from '../sources/source.testkit.ts';
import { readSources } from '../sources/sources.ts';
import { unwantedWords } from './words.ts';

test('no source or page uses a word of the list', () => {
  expect(unwantedWords(readSources(path.join(import.meta.dirname, '../..')))).toEqual([]);
});

test.each(['const flight = 1;', '// The tower decides.', 'class Farm {}', 'isHarmless(text)'])(
  'the check of words sees %s',
  (line) => {
    expect(unwantedWords([file('cli/a.ts', 'a();', line)])).toEqual([
      expect.stringMatching(/^cli\/a\.ts:2: /),
    ]);
  },
);

test.each(['requests in flight', 'inFlight', 'openLanding page'])(
  'the check of words passes %s',
  (line) => {
    expect(unwantedWords([file('docs/a.md', line)])).toEqual([]);
  },
);

describe('"tell", in any form', () => {
  test.each([
    '// The answer tells it.',
    'interface Told {}',
    'const isTelling = 1;',
    'const MAX_TOLD = 8;',
    'reportedBy(fact.told)',
  ])('is found: %s', (line) => {
    expect(unwantedWords([file('cli/a.ts', line)])).toEqual([
      expect.stringMatching(/^cli\/a\.ts:1: /),
    ]);
  });

  test.each(["'zap.chains.tell-their-id'", "'dust-told-often'", 'a teller', 'toldBy'])(
    'is not found in other words, in ids with hyphens and in recorded names: %s',
    (text) => {
      expect(unwantedWords([file('cli/a.ts', text)])).toEqual([]);
    },
  );
});
