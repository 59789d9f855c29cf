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

describe('a word that some folders are free of', () => {
  const [cleaned, other] = ['contracts/rules/a.ts', 'cli/a.ts'];

  test.each([
    '// The answer tells it.',
    'interface Told {}',
    'const isTelling = 1;',
    'const MAX_TOLD = 8;',
    'toldBy(fact.told)',
  ])('is seen in such a folder, and in no other: %s', (line) => {
    expect(unwantedWords([file(cleaned, line)])).toEqual([
      expect.stringMatching(/^contracts\/rules\/a\.ts:1: /),
    ]);
    expect(unwantedWords([file(other, line)])).toEqual([]);
  });

  test.each(["'zap.chains.tell-their-id'", "'dust-told-often'", 'a teller', 'tellingTrials(fan)'])(
    'is not seen in other words, in ids with hyphens and in kept names: %s',
    (text) => {
      expect(unwantedWords([file(cleaned, text)])).toEqual([]);
    },
  );
});
