/** Objects of JSON in which a name stands twice: one reader takes the first, another the last. */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPENED = 0x7b;
const CLOSED = 0x7d;

/**
 * The first name that stands twice in one object.
 *
 * @param text valid JSON
 */
export function repeatedMember(text: string): string | undefined {
  const open: Set<string>[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === OPENED) open.push(new Set());
    else if (code === CLOSED) open.pop();
    else if (code === QUOTE) {
      const end = endOfString(text, at);
      if (isName(text, end)) {
        const name = JSON.parse(text.slice(at, end)) as string;
        const names = open.at(-1);
        if (names?.has(name) === true) return name;
        names?.add(name);
      }
      at = end - 1;
    }
  }
  return undefined;
}

/** Behind its closing quote. */
function endOfString(text: string, from: number): number {
  let at = from + 1;
  while (text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at + 1;
}

function isName(text: string, from: number): boolean {
  let at = from;
  while (' \t\r\n'.includes(text.charAt(at)) && at < text.length) at += 1;
  return text.charCodeAt(at) === COLON;
}
