/** How long the sentences of a page in Markdown are. */

/** The most words that a sentence may have. */
export const MAX_WORDS = 25;

const FENCE = /^(?<mark> *(?:```|~~~)).*\n(?:.*\n)*?\k<mark>.*$/gm;
const COMMENT = /<!--[\s\S]*?-->/g;
/** What begins a text of its own: a heading, an item of a list, a row of a table, a picture. */
const BEGINS = /^\s*(?:#{1,6} |[-*] |\d+\. |\||!\[|> )/;

/**
 * Sentences of a page with more than {@link MAX_WORDS} words. Code is one word, and blocks of code have none; a cell
 * of a table and an item of a list end a sentence.
 */
export function longSentences(markdown: string): string[] {
  return textsOf(markdown)
    .flatMap((text) => text.split(/(?<=[.!?]["')*_]*)\s+(?=["'(*_[]*[A-Z0-9\u0060])/))
    .filter((sentence) => wordsOf(sentence).length > MAX_WORDS)
    .map((sentence) => `${wordsOf(sentence).length} words: ${sentence.trim()}`);
}

/** Paragraphs, items, headings and cells, each in one line. */
function textsOf(markdown: string): string[] {
  const prose = markdown.replace(COMMENT, '').replace(FENCE, '');
  const texts: string[] = [];
  let isOpen = false;
  for (const line of prose.split('\n')) {
    if (line.trim() === '') {
      isOpen = false;
    } else if (isOpen && !BEGINS.test(line)) {
      texts.push(`${texts.pop() ?? ''} ${line.trim()}`);
    } else {
      texts.push(line.trim());
      isOpen = true;
    }
  }
  return texts.flatMap((text) => (text.startsWith('|') ? text.split(/(?<!\\)\|/) : [text]));
}

function wordsOf(sentence: string): string[] {
  return sentence
    .replace(/`[^`]*`/g, 'code')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word) && !/^\d+\.$/.test(word));
}
