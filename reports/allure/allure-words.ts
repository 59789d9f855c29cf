/** Texts of a run as Allure takes them. */

import { printableLines } from '../../contracts/run/printable.ts';
import { plainWords } from '../forge/markdown-text.ts';
import { cut, printable } from '../text.ts';

const MAX_WORDS = 600;
/** Of a text with several lines. */
const MAX_CHARACTERS = 100_000;

/** Words of one line: nothing in them moves a cursor or turns the direction of writing. */
export function line(text: string, mostCharacters: number = MAX_WORDS): string {
  // Cut first, roughly: a text may have a million characters.
  return cut(printable(wellFormed(text.slice(0, mostCharacters * 2))), mostCharacters);
}

/** Lines, those that are too long or too many cut. */
export function lines(text: string): string {
  const shown = printableLines(wellFormed(text.slice(0, MAX_CHARACTERS)));
  const more = text.length - MAX_CHARACTERS;
  return more > 0 ? `${shown}\n(${more} more characters: run.json has them)` : shown;
}

/** A line for a shell, whole or not at all. */
export function shellLine(text: string): string {
  return text.length > MAX_CHARACTERS
    ? `(a line of ${text.length} characters: run.json has it)`
    : printable(wellFormed(text));
}

/** Paragraphs of Markdown, which Allure makes of descriptions, with nothing in them that is markup. */
export function paragraphs(texts: readonly string[]): string {
  return texts.map((text) => plainWords(text)).join('\n\n');
}

/**
 * An address of what a rule rests on: the section of an RFC. Sections of the interface document have none.
 */
export function addressOf(source: string): string | undefined {
  const [, rfc, section] =
    /\bRFC (\d{1,5})(?: section (\d{1,3}(?:\.\d{1,3}){0,5}))?/.exec(source.slice(0, MAX_WORDS)) ??
    [];
  if (rfc === undefined) return undefined;
  const page = `https://www.rfc-editor.org/rfc/rfc${rfc}`;
  return section === undefined ? page : `${page}#section-${section}`;
}

/** Half a pair of surrogates is no character, and no UTF-8. */
export function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '\uFFFD');
}
