/**
 * Controls, which move cursors and change colours, marks that change the direction of writing, and
 * line breaks that only some programs know.
 */
const UNPRINTABLE = /[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/gu;

/** The same plain data with the unprintable characters of all strings as `\u{…}`. */
export function printable<T>(value: T): T {
  if (typeof value === 'string') return value.replace(UNPRINTABLE, escapeCharacter) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => printable(item)) as T;
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [printable(key), printable(item as unknown)]),
    ) as T;
  }
  return value;
}

/** A text of several lines with its unprintable characters as `\u{…}`, line breaks apart. */
export function printableLines(text: string): string {
  return text.replace(UNPRINTABLE, (char) => (char === '\n' ? char : escapeCharacter(char)));
}

function escapeCharacter(char: string): string {
  if (char === '\n') return '\\n';
  if (char === '\r') return '\\r';
  if (char === '\t') return '\\t';
  return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
}
