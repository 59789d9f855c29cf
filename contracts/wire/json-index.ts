/** Where every value of a JSON text stands: found once, for as many look-ups as follow. */

import { parsePointer } from './json-pointer.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;

/** The children of a container by key, or by position. */
type Children = ReadonlyMap<string, number> | readonly number[];

/**
 * An index of a text that `JSON.parse` takes; of any other text its result is meaningless, but it ends.
 * Making it walks the text once. A look-up costs as much as its path has steps, once the children of
 * each container on it are known. To know them costs one step for each, once. It takes 12 bytes for
 * each value, which is at most six times the text.
 */
export class JsonIndex {
  readonly text: string;
  /** By the order in which values begin: where each starts, and where its key does, or -1. */
  #starts: Int32Array;
  #keys: Int32Array;
  /** The number of the first value that begins after this one has ended. */
  #next: Int32Array;
  #count = 0;
  readonly #children = new Map<number, Children>();

  constructor(text: string) {
    this.text = text;
    // Room for most texts; others need it doubled.
    const room = Math.max(64, text.length >> 3);
    this.#starts = new Int32Array(room);
    this.#keys = new Int32Array(room);
    this.#next = new Int32Array(room);
    this.#read();
  }

  /**
   * Where the value at a JSON pointer (RFC 6901) starts. Of a key that occurs twice the last value
   * counts, as in `JSON.parse`.
   *
   * @returns undefined when there is no such value or the pointer is malformed
   */
  startOf(pointer: string): number | undefined {
    const tokens = parsePointer(pointer);
    if (tokens === undefined || this.#count === 0) return undefined;
    let value = 0;
    for (const token of tokens) {
      const child = childOf(this.#childrenOf(value), token);
      if (child === undefined) return undefined;
      value = child;
    }
    return this.#starts[value];
  }

  /** Notes each value in the order in which they begin. */
  #read(): void {
    const { text } = this;
    let [starts, keys, next] = [this.#starts, this.#keys, this.#next];
    const open: number[] = [];
    let count = 0;
    let key = -1;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code <= 0x20 || code === COMMA || code === COLON) continue;
      if (code === 0x7d || code === 0x5d) {
        const closed = open.pop();
        if (closed !== undefined) next[closed] = count;
        continue;
      }
      const start = at;
      if (code === QUOTE) {
        at = endOfString(text, at) - 1;
        // A string that a colon follows is a key.
        if (isKey(text, at + 1)) {
          key = start;
          continue;
        }
      } else if (code === 0x7b || code === 0x5b) open.push(count);
      else at = endOfPlain(text, at) - 1;
      if (count === starts.length) {
        [starts, keys, next] = [doubled(starts), doubled(keys), doubled(next)];
      }
      starts[count] = start;
      keys[count] = key;
      count += 1;
      next[count - 1] = count;
      key = -1;
    }
    [this.#starts, this.#keys, this.#next, this.#count] = [starts, keys, next, count];
  }

  #childrenOf(parent: number): Children {
    let children = this.#children.get(parent);
    if (children === undefined) {
      children = this.#listChildren(parent);
      this.#children.set(parent, children);
    }
    return children;
  }

  #listChildren(parent: number): Children {
    const opening = this.text.charCodeAt(this.#starts[parent] ?? 0);
    const end = this.#next[parent] ?? 0;
    const byPosition: number[] = [];
    const byKey = new Map<string, number>();
    for (let child = parent + 1; child < end; child = this.#next[child] ?? end) {
      const key = this.#keys[child] ?? -1;
      if (key < 0) byPosition.push(child);
      else byKey.set(stringAt(this.text, key), child);
    }
    return opening === 0x7b ? byKey : byPosition;
  }
}

function childOf(children: Children, token: string): number | undefined {
  if (!Array.isArray(children)) return (children as ReadonlyMap<string, number>).get(token);
  // As RFC 6901 section 4 writes indices: digits without leading zeros.
  return /^(?:0|[1-9][0-9]{0,8})$/.test(token)
    ? (children as readonly number[])[Number(token)]
    : undefined;
}

function doubled(values: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(values.length * 2);
  larger.set(values);
  return larger;
}

function isKey(text: string, from: number): boolean {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return text.charCodeAt(at) === COLON;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Where a string ends, that is after its closing quote; at the end of the text where it has none. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code === BACKSLASH) at += 1;
  }
  return text.length;
}

/** Where a number or a literal ends. */
function endOfPlain(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= 0x20 || code === COMMA || code === 0x7d || code === 0x5d) break;
  }
  return at;
}

/**
 * Where the value that starts here ends.
 *
 * @param mostCharacters a container that is longer is not read to its end; what is returned then is
 *   further away than that
 */
export function endOfValue(text: string, start: number, mostCharacters: number): number {
  const opening = text.charCodeAt(start);
  if (opening === QUOTE) return endOfString(text, start);
  if (opening !== 0x7b && opening !== 0x5b) return endOfPlain(text, start);
  let depth = 0;
  let at = start;
  for (; at < text.length && at - start <= mostCharacters; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at) - 1;
    else if (code === 0x7b || code === 0x5b) depth += 1;
    else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return at;
}

/** The value of the string that starts here. */
function stringAt(text: string, start: number): string {
  const end = endOfString(text, start);
  const inner = text.slice(start + 1, end - 1);
  return inner.includes('\\') ? String(JSON.parse(text.slice(start, end))) : inner;
}
