import { cut, printable } from '../text.ts';

/**
 * What means something within a line, to CommonMark (section 6) or to GitHub: also `://`, `//` and `www.`, of
 * which it makes links, and `$` of formulas. A backslash makes all of it plain (section 2.4).
 */
const WITHIN = /[\\`*_[\]<>&~|#!@$]|:(?=\/)|\/(?=\/)|(?<=www)\./gi;
/** What begins a block if a line begins with it: lists, headings, rules. */
const AT_BEGIN = /^(\s*\d{0,9})([-+=.)])/;

/** A text of somebody else as plain words of one line; what could be markup is escaped. */
export function plainWords(text: string, mostCharacters = 600): string {
  const words = shortened(text, mostCharacters).trim();
  return words.replaceAll(WITHIN, '\\$&').replace(AT_BEGIN, '$1\\$2');
}

/** A text of somebody else as code within a line. */
export function codeSpan(text: string, mostCharacters = 600): string {
  const code = shortened(text, mostCharacters);
  if (code.trim() === '') return code === '' ? '*nothing*' : '*blanks*';
  const fence = '`'.repeat(longestRun(code) + 1);
  // One blank on either side is taken away again (section 6.1).
  const pad = /^[` ]|[` ]$/.test(code) ? ' ' : '';
  return `${fence}${pad}${code}${pad}${fence}`;
}

/** Lines of somebody else as a block to copy from. */
export function codeBlock(lines: readonly string[], language = ''): string {
  const text = lines.map((line) => printable(wellFormed(line))).join('\n');
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

/** A text of somebody else within markup of HTML. */
export function htmlWords(text: string, mostCharacters = 600): string {
  const escapes: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return shortened(text, mostCharacters).replaceAll(/[&<>"']/g, (char) => escapes[char] ?? char);
}

function shortened(text: string, mostCharacters: number): string {
  // Cut first, roughly: a text may have a million characters.
  return cut(printable(wellFormed(text.slice(0, mostCharacters * 2))), mostCharacters);
}

/** Half a pair of surrogates is no character, and no UTF-8. */
function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '\uFFFD');
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}

/** More rows of one table are counted, not listed. */
const MAX_ROWS = 200;

/** A text of somebody else within a line; versions, days and names stay as they are. */
export function plain(text: string): string {
  return /^[A-Za-z0-9][A-Za-z0-9.+ -]{0,99}$/.test(text) && !/www\./i.test(text)
    ? text
    : plainWords(text);
}

/** Items of a list, of which the first are shown. */
export function list(items: readonly string[]): string {
  const more = items.length - MAX_ROWS;
  const shown = items.slice(0, MAX_ROWS).map((item) => `- ${item}`);
  return [...shown, ...(more > 0 ? [`- and ${more} more, in the certificate`] : [])].join('\n');
}

/** A table, of which the first rows are shown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const more = rows.length - MAX_ROWS;
  return [
    line(head),
    line(head.map(() => '---')),
    ...rows.slice(0, MAX_ROWS).map(line),
    ...(more > 0 ? ['', `And ${more} more, in the certificate.`] : []),
  ].join('\n');
}
