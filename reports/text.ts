/** Text in columns: cutting and wrapping. */

export { printable } from '../contracts/run/printable.ts';

/** The text, or its beginning and `…`, in at most `width` characters. */
export function cut(text: string, width: number): string {
  const chars = Array.from(text);
  return chars.length <= width ? text : `${chars.slice(0, Math.max(0, width - 1)).join('')}…`;
}

/** The words of a text in lines of at most `width` characters; longer words keep a line each. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ').filter((part) => part !== '')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= width) {
      lines[lines.length - 1] = `${line} ${word}`;
    } else lines.push(word);
  }
  return lines;
}

/** `1 rule`, `2 rules`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** A duration for people: `12.4 s`, `3 min 20 s`, `2 h 5 min`. */
export function duration(ms: number): string {
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A text under a symbol, its further lines indented. */
export function bullet(symbol: string, text: string, width: number): string[] {
  return wrap(text, width - 4).map((line, at) => `${at === 0 ? `  ${symbol} ` : '    '}${line}`);
}
