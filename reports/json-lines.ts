/** JSON text as lines for a reader: every token stays as it was sent, since parsing loses digits. */

import { pointerOf } from '../contracts/wire/json-pointer.ts';
import { walkJson } from '../contracts/wire/json-walk.ts';

/** One line. */
export interface JsonLine {
  readonly depth: number;
  /** JSON pointer to the value that begins or ends on this line. */
  readonly pointer: string;
  /** The key as it stands in the text, with its quotes; absent of elements and of the whole. */
  readonly key?: string;
  /** A scalar as it stands, or brackets. */
  readonly text: string;
  readonly kind: 'text' | 'plain' | 'open' | 'close';
  readonly comma: boolean;
}

/** A text of more values is not laid out. */
export const MAX_JSON_LINES = 60_000;
/** Pointers of values that nest deeper are long, and nobody reads them. */
const MAX_DEPTH = 100;

/**
 * The lines of a JSON text: members and elements on lines of their own, empty containers on one.
 * Undefined if the text is no JSON, or too much of it to lay out.
 */
export function jsonLines(text: string): JsonLine[] | undefined {
  return isSmallJson(text) ? layOut(text) : undefined;
}

/** Thrown inside, to end a walk over a text that is too much: what is left of it may be megabytes. */
class TooMuch extends Error {}

function isSmallJson(text: string): boolean {
  let values = 0;
  try {
    return walkJson(text, {
      enter: (depth) => {
        if (depth > MAX_DEPTH) throw new TooMuch();
      },
      leave: () => {
        values += 1;
        if (values > MAX_JSON_LINES) throw new TooMuch();
      },
    });
  } catch (error) {
    if (error instanceof TooMuch) return false;
    throw error;
  }
}

interface Open {
  readonly close: string;
  readonly pointer: string;
  index: number;
}

/** What follows is sure to be JSON. */
function layOut(text: string): JsonLine[] {
  const lines: JsonLine[] = [];
  const open: Open[] = [];
  const tokens = text.matchAll(TOKEN)[Symbol.iterator]();
  let token = nextOf(tokens);
  let key: string | undefined;
  let pointer = '';
  const push = (kind: JsonLine['kind'], shown: string, at: string, named?: string): void => {
    const next = token;
    lines.push({
      ...{ depth: open.length, pointer: at, text: shown, kind, comma: next === ',' },
      ...(named === undefined ? {} : { key: named }),
    });
  };
  while (token !== undefined) {
    const parent = open.at(-1);
    if (token === ',') {
      token = nextOf(tokens);
      continue;
    }
    if (token === parent?.close) {
      open.pop();
      token = nextOf(tokens);
      push('close', parent.close, parent.pointer);
      continue;
    }
    if (parent?.close === '}') {
      key = token;
      pointer = parent.pointer + pointerOf([String(JSON.parse(token))]);
      nextOf(tokens);
      token = nextOf(tokens);
    } else if (parent !== undefined) {
      pointer = `${parent.pointer}/${parent.index++}`;
    }
    const value = token ?? '';
    const close = value === '{' ? '}' : value === '[' ? ']' : undefined;
    token = nextOf(tokens);
    if (close === undefined) push(value.startsWith('"') ? 'text' : 'plain', value, pointer, key);
    else if (token === close) {
      token = nextOf(tokens);
      push('plain', value + close, pointer, key);
    } else {
      push('open', value, pointer, key);
      open.push({ close, pointer, index: 0 });
    }
    key = undefined;
  }
  return lines;
}

/** Strings in pieces that no engine has to go back over. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/gs;

function nextOf(tokens: Iterator<RegExpExecArray>): string | undefined {
  const next = tokens.next();
  return next.done === true ? undefined : next.value[0];
}

/**
 * Which lines a finding speaks of: those of the value at the pointer, else of the nearest container
 * that is there.
 *
 * @returns first and last line, and whether the value itself is there
 */
export function markedLines(
  lines: readonly JsonLine[],
  pointer: string,
): { readonly first: number; readonly last: number; readonly isThere: boolean } | undefined {
  for (let wanted = pointer; ; wanted = wanted.slice(0, wanted.lastIndexOf('/'))) {
    const first = lines.findIndex((line) => line.pointer === wanted);
    if (first !== -1) {
      const last = lines.findLastIndex((line) => line.pointer === wanted);
      return { first, last, isThere: wanted === pointer };
    }
    if (!wanted.includes('/')) return undefined;
  }
}
