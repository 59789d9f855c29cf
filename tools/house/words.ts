import type { Source } from '../sources/sources.ts';

/** A word that has more than one reading, and what to write in its place. */
interface UnwantedWord {
  readonly word: RegExp;
  readonly instead: string;
}

/** In words and in parts of identifiers; parts of ids with hyphens stay, since rules and faults are known by them. */
const TELL =
  /(?<![A-Za-z-])(?:[Tt]ell(?:s|ing)?|[Tt]old)(?![a-z]|-[a-z])|(?<=[a-z0-9])(?:Tell(?:s|ing)?|Told)(?![a-z])|(?<![A-Z])(?:TELL(?:S|ING)?|TOLD)(?![A-Z])/;

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
  {
    word: TELL,
    instead: 'what is meant: states, reports, shows, announces, distinguishes',
  },
];

/** Written anew by later issues, or of hostile texts. */
const LEFT_OUT = /^(?:load\/(?:limits|probe)\/|CHANGELOG\.md$|tools\/house\/words\.)|package-lock/;

/** Members that users and records have, recorded values, and names of files that are written anew later. */
const KEPT =
  /\btells\b(?=\??[:(])|'tells'|\.tells\b|'cannot be told'|\btold: (?:9|number)|\btoldBy\b|this those told were|\bisTelling\(posterior|\bODD_TOLD\b|estimate\/telling/g;

/** Unwanted words in sources and pages, a line each. */
export function unwantedWords(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => /\.(?:tsx?|md)$/.test(path) && !LEFT_OUT.test(path))
    .flatMap(({ path, text }) => wordsIn(path, text));
}

function wordsIn(path: string, text: string): string[] {
  return UNWANTED.flatMap(({ word, instead }) => {
    if (!word.test(text)) return [];
    return text.split('\n').flatMap((line, index) => {
      const found = word.exec(line.replace(KEPT, ''))?.[0];
      return found === undefined ? [] : [`${path}:${index + 1}: ${found}; write ${instead}`];
    });
  });
}
