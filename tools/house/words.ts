import type { Source } from '../sources/sources.ts';

/** A word that has more than one reading, and what to write in its place. */
interface UnwantedWord {
  readonly word: RegExp;
  readonly instead: string;
}

/** Metaphors and second names for what ARCHITECTURE names already. The list grows as texts are worked through. */
const UNWANTED: readonly UnwantedWord[] = [
  { word: /(?<!in[-_ ]?)flight/i, instead: 'a pending request' },
  { word: /\bflown\b/i, instead: 'under way' },
  { word: /\bFailedLanding|\blanded\b|\bLanding\b/, instead: 'the end of a request' },
  { word: /\btower\b/i, instead: 'the owner of requests' },
  { word: /\bfarm\b/i, instead: 'hostile server' },
  { word: /thrift/i, instead: 'bounds' },
  { word: /harmless/i, instead: 'without secrets, safe' },
  { word: /\bknots?\b/i, instead: 'files that need each other' },
];

/** Written anew by later issues, or of hostile texts. */
const LEFT_OUT =
  /^(?:load\/(?:limits|probe)\/|contracts\/service\/rules\/inputs\/|fixtures\/wrong\/|CHANGELOG\.md$|tools\/house\/words\.)|documented-shape|package-lock/;

/** Unwanted words in sources and pages, a line each. */
export function unwantedWords(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => /\.(?:tsx?|md)$/.test(path) && !LEFT_OUT.test(path))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) =>
        UNWANTED.flatMap(({ word, instead }) => {
          const found = word.exec(line)?.[0];
          return found === undefined ? [] : [`${path}:${index + 1}: ${found}; write ${instead}`];
        }),
      ),
    );
}
