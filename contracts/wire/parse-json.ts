/** Parsing JSON that others wrote: bounded in depth, and never an exception. */

/**
 * A text that nests deeper is not parsed. RFC 8259 section 9 lets a parser limit the depth. Those of
 * common platforms stop at 64 (.NET) or 100 (Ruby), and no documented shape comes near a dozen.
 */
export const MAX_LEVELS = 100;

/**
 * A text that holds more objects and arrays is not parsed: a few megabytes of empty ones would take
 * hundreds in memory. The longest documented list, of 200 pools, holds a few thousand.
 */
export const MAX_CONTAINERS = 250_000;

/** What parsing a text came to. */
export type ParsedJson =
  | { readonly kind: 'json'; readonly value: unknown }
  /** `problem` is in words, fit to follow `the body: `. */
  | { readonly kind: 'none'; readonly problem: string }
  /** It holds more than is parsed, JSON or not: RFC 8259 section 9 leaves that to each parser. */
  | { readonly kind: 'too much'; readonly problem: string };

/** Shorter texts hold no more objects and arrays than are allowed, of two characters each at least. */
const SHORT_CHARACTERS = 2 * MAX_CONTAINERS;

/** Parses a text as JSON. Whatever comes back may be walked over by functions that call themselves. */
export function parseJson(text: string): ParsedJson {
  // To look through the text takes longer than to parse it, and to look at what was parsed does not.
  const isShort = text.length < SHORT_CHARACTERS;
  const excess = isShort ? undefined : excessOf(text, MAX_LEVELS, MAX_CONTAINERS);
  if (excess !== undefined) return { kind: 'too much', problem: PROBLEMS[excess] };
  try {
    const value: unknown = JSON.parse(text);
    return isShort && isContainer(value) && isDeeper(value, MAX_LEVELS)
      ? { kind: 'too much', problem: PROBLEMS.depth }
      : { kind: 'json', value };
  } catch (error) {
    return { kind: 'none', problem: String(error) };
  }
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Whether an object or array nests deeper than so many levels; looks no deeper itself. */
function isDeeper(container: object, levels: number): boolean {
  if (levels === 0) return true;
  // Most values are none of both, and are not gone into.
  if (Array.isArray(container)) {
    for (const item of container as readonly unknown[]) {
      if (isContainer(item) && isDeeper(item, levels - 1)) return true;
    }
    return false;
  }
  const members = container as Readonly<Record<string, unknown>>;
  for (const name in members) {
    const value = members[name];
    if (isContainer(value) && isDeeper(value, levels - 1)) return true;
  }
  return false;
}

/** What a text says as JSON; undefined when it is none, or more than is parsed. */
export function jsonOrUndefined(text: string): unknown {
  const parsed = parseJson(text);
  return parsed.kind === 'json' ? parsed.value : undefined;
}

const PROBLEMS: Readonly<Record<'depth' | 'number', string>> = {
  depth: `nested deeper than ${MAX_LEVELS} levels, where parsers may stop (RFC 8259 section 9); not judged further`,
  number: `of more than ${MAX_CONTAINERS} objects and arrays, beyond what a client can be expected to take (RFC 8259 section 9); not judged further`,
};

/** Whether objects and arrays of a text, JSON or not, nest too deep or are too many. */
export function excessOf(
  text: string,
  levels: number,
  containers: number,
): 'depth' | 'number' | undefined {
  let depth = 0;
  let opened = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      at += 1;
      for (let inside = text.charCodeAt(at); inside !== 0x22; inside = text.charCodeAt(at)) {
        if (at >= text.length) return undefined;
        at += inside === 0x5c ? 2 : 1;
      }
    } else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      opened += 1;
      if (depth > levels) return 'depth';
      if (opened > containers) return 'number';
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return undefined;
}
