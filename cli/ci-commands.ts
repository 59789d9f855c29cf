/** Lines that a CI system obeys: text of others must hold none if it goes to a log. */

/** How a text writes a character otherwise: as Assay shows what nobody sees, or as its format does. */
export type Escaping = 'text' | 'json' | 'xml';

const ESCAPES: Readonly<Record<Escaping, (code: number) => string>> = {
  text: (code) => `\\u{${code.toString(16)}}`,
  json: (code) => `\\u${code.toString(16).padStart(4, '0')}`,
  xml: (code) => `&#${code};`,
};

/** `::name::` at the beginning of a line, whatever white space is before it: GitHub, Gitea, Forgejo. */
const AT_BEGINNING = /^([^\S\n\r\u2028\u2029]*):(?=:)/gm;
/** `##[name]`, `##vso[name]`, `##teamcity[name]` anywhere: GitHub, Azure, TeamCity. */
const IN_BRACKETS = /##(?=[a-z]{0,20}\[)/gi;
/** `section_start:1700000000:name` and its end: GitLab. */
const SECTION = /(section)_(?=(?:start|end):)/gi;

/**
 * A text without commands to any CI system. One character of each is written otherwise, so that the text means the
 * same to who reads its format.
 */
export function withoutCommands(text: string, escaping: Escaping = 'text'): string {
  return withoutInlineCommands(
    text.replace(AT_BEGINNING, (_, space: string) => space + escapeOf(':', escaping)),
    escaping,
  );
}

/** The same for a line that is a command itself: what others obey within it. */
export function withoutInlineCommands(text: string, escaping: Escaping = 'text'): string {
  return text
    .replace(IN_BRACKETS, () => `#${escapeOf('#', escaping)}`)
    .replace(SECTION, (_, word: string) => word + escapeOf('_', escaping));
}

function escapeOf(char: string, escaping: Escaping): string {
  return ESCAPES[escaping](char.charCodeAt(0));
}
