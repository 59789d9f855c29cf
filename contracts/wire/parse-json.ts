/** Parsing JSON that others wrote: bounded in depth, and never an exception. */

/**
 * A text that nests deeper is not parsed. RFC 8259 section 9 lets a parser limit the depth; those of
 * common platforms stop at 64 (.NET) or 100 (Ruby), and no documented shape comes near a dozen.
 */
export const MOST_LEVELS = 100;

/** What parsing a text came to. */
export type ParsedJson =
  | { readonly kind: 'json'; readonly value: unknown }
  /** `problem` is in words, fit to follow `the body: `. */
  | { readonly kind: 'none'; readonly problem: string };

/** Parses a text as JSON. Whatever comes back may be walked over by functions that call themselves. */
export function parseJson(text: string): ParsedJson {
  if (nestsDeeper(text, MOST_LEVELS)) {
    const problem = `nested deeper than ${MOST_LEVELS} levels, where parsers may stop (RFC 8259 section 9); not judged further`;
    return { kind: 'none', problem };
  }
  try {
    return { kind: 'json', value: JSON.parse(text) as unknown };
  } catch (error) {
    return { kind: 'none', problem: String(error) };
  }
}

/** What a text says as JSON; undefined when it is none, or is nested deeper than is judged. */
export function jsonOrUndefined(text: string): unknown {
  const parsed = parseJson(text);
  return parsed.kind === 'json' ? parsed.value : undefined;
}

/** Whether objects and arrays of a text, JSON or not, nest deeper than a number of levels. */
export function nestsDeeper(text: string, levels: number): boolean {
  if (text.length <= levels) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at += 1;
      for (let inside = text.charCodeAt(at); inside !== 0x22; inside = text.charCodeAt(at)) {
        if (at >= text.length) return false;
        at += inside === 0x5c ? 2 : 1;
      }
    } else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > levels) return true;
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return false;
}
