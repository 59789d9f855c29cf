/** Commands of Assay that a page in Markdown shows. */

/** A block of code of a page, and what stands behind its three backticks. */
export interface CodeBlock {
  readonly info: string;
  readonly text: string;
}

/** What Assay is started by: from an install, or from a checkout. */
const STARTS: readonly (readonly string[])[] = [
  ['npm', 'run', '-s', 'assay', '--'],
  ['npx', '--no', '--', 'assay'],
  ['npx', 'assay'],
  ['assay'],
];
const BLOCK = /^ *```([^\n`]*)\n(.*?)^ *```$/gms;
const INLINE = /(?<!`)`([^`\n]+)`(?!`)/g;
/** A word of a shell: quoted parts, escapes, and what is expanded count as text. */
const WORD = /(?:'[^']*'|"[^"]*"|\$\([^)]*\)|\\.|[^\s'"\\])+/g;

/** The blocks of code of a page. */
export function blocksOf(markdown: string): CodeBlock[] {
  return [...markdown.matchAll(BLOCK)].map(([, info = '', text = '']) => ({ info, text }));
}

/** The arguments of each call of Assay in blocks of a shell, without what starts it. */
export function callsIn(markdown: string): string[][] {
  return blocksOf(markdown)
    .filter(({ info }) => /^(?:sh\b.*|)$/.test(info))
    .flatMap(({ text }) => text.replaceAll('\\\n', ' ').split(/\n|&&/))
    .flatMap((line) => argumentsOf(line));
}

/** The arguments of each call of Assay within a line, in the order of the page. */
export function inlineCallsIn(markdown: string): string[][] {
  const prose = markdown.replace(BLOCK, '');
  return [...prose.matchAll(INLINE)].flatMap(([, code = '']) => argumentsOf(code));
}

/** The arguments of the one call of a line, if it is one. */
function argumentsOf(line: string): string[][] {
  const words = (line.match(WORD) ?? []).map((word) => word.replace(/^(['"])(.*)\1$/s, '$2'));
  const start = STARTS.find((parts) => parts.every((part, at) => words[at] === part));
  if (start === undefined) return [];
  const given = words.slice(start.length);
  const end = given.findIndex((word) => /^[#&|>;]/.test(word));
  return [end === -1 ? given : given.slice(0, end)];
}
