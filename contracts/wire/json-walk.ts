/** A walk over raw JSON text (RFC 8259) that reports the place of each value, and keeps none. */

/** What a walk reports. Depth counts the containers around a value: 0 for the whole text. */
export interface JsonVisitor {
  /** The value under a key of an object, or at an index of an array, is about to come. */
  readonly enter?: (depth: number, key: string | number) => void;
  /** A value is complete: `text.slice(start, end)`. */
  readonly leave?: (depth: number, start: number, end: number) => void;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const OPEN_OBJECT = 0x7b;

/** In place of the index of an object's next member. */
const OBJECT = -1;

/** The containers around a place. Eight bytes each, since a text may be nothing but brackets. */
class Containers {
  depth = 0;
  #starts = new Int32Array(64);
  /** Of an array the index of its next item. */
  #indexes = new Int32Array(64);

  get start(): number {
    return this.#starts[this.depth - 1] ?? 0;
  }

  get isObject(): boolean {
    return this.#indexes[this.depth - 1] === OBJECT;
  }

  open(start: number, isObject: boolean): void {
    if (this.depth === this.#starts.length) {
      this.#starts = doubled(this.#starts);
      this.#indexes = doubled(this.#indexes);
    }
    this.#starts[this.depth] = start;
    this.#indexes[this.depth] = isObject ? OBJECT : 0;
    this.depth += 1;
  }

  /** The index of the next item of the innermost array. */
  count(): number {
    const index = this.#indexes[this.depth - 1] ?? 0;
    this.#indexes[this.depth - 1] = index + 1;
    return index;
  }
}

function doubled(numbers: Int32Array): Int32Array<ArrayBuffer> {
  const wider = new Int32Array(numbers.length * 2);
  wider.set(numbers);
  return wider;
}

const LITERALS = ['true', 'false', 'null'];

/**
 * Walks over the text in time linear in its length, however deep it nests.
 *
 * @returns whether the whole text is JSON; when it is not, the visitor has been called with the values
 *   before the first error only.
 */
export function walkJson(text: string, visitor: JsonVisitor): boolean {
  const containers = new Containers();
  let at = skipSpace(text, 0);

  /** Reads the key of a member and its colon, or counts an element; false at an error. */
  const enterChild = (): boolean => {
    if (containers.isObject) {
      const keyStart = at;
      const keyEnd = endOfString(text, at);
      if (keyEnd < 0) return false;
      at = skipSpace(text, keyEnd);
      if (text.charCodeAt(at) !== COLON) return false;
      at = skipSpace(text, at + 1);
      visitor.enter?.(containers.depth, stringOf(text, keyStart, keyEnd));
    } else {
      const index = containers.count();
      visitor.enter?.(containers.depth, index);
    }
    return true;
  };

  for (;;) {
    const opening = text.charCodeAt(at);
    if (opening === OPEN_OBJECT || opening === OPEN_ARRAY) {
      containers.open(at, opening === OPEN_OBJECT);
      at = skipSpace(text, at + 1);
      // Each closing bracket comes two codes after its opening one.
      if (text.charCodeAt(at) !== opening + 2) {
        if (!enterChild()) return false;
        continue;
      }
    } else {
      const end = endOfScalar(text, at);
      if (end < 0) return false;
      visitor.leave?.(containers.depth, at, end);
      at = skipSpace(text, end);
    }

    // A value, or an empty container up to its bracket, lies behind: close what ends here.
    for (;;) {
      if (containers.depth === 0) return at === text.length;
      const code = text.charCodeAt(at);
      if (code === COMMA) {
        at = skipSpace(text, at + 1);
        if (!enterChild()) return false;
        break;
      }
      if (code !== (containers.isObject ? OPEN_OBJECT : OPEN_ARRAY) + 2) return false;
      const { start } = containers;
      containers.depth -= 1;
      visitor.leave?.(containers.depth, start, at + 1);
      at = skipSpace(text, at + 1);
    }
  }
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Where the string, number or literal that starts here ends; -1 when there is none. */
function endOfScalar(text: string, start: number): number {
  const code = text.charCodeAt(start);
  if (code === QUOTE) return endOfString(text, start);
  if (isDigit(code)) return endOfNumber(text, start);
  const literal = LITERALS.find((word) => text.startsWith(word, start));
  return literal === undefined ? endOfNumber(text, start) : start + literal.length;
}

function endOfNumber(text: string, start: number): number {
  let at = text[start] === '-' ? start + 1 : start;
  const digits = (): boolean => {
    const from = at;
    while (isDigit(text.charCodeAt(at))) at += 1;
    return at > from;
  };
  if (text[at] === '0') at += 1;
  else if (!digits()) return -1;
  if (text[at] === '.') {
    at += 1;
    if (!digits()) return -1;
  }
  if (text[at] === 'e' || text[at] === 'E') {
    at += 1;
    if (text[at] === '+' || text[at] === '-') at += 1;
    if (!digits()) return -1;
  }
  return at;
}

// By hand, since a regular expression overflows its stack on strings of some megabytes.
function endOfString(text: string, start: number): number {
  if (text.charCodeAt(start) !== QUOTE) return -1;
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code < 0x20) return -1;
    if (code !== 0x5c) continue;
    at += 1;
    if (text[at] === 'u') {
      if (!/^[0-9a-fA-F]{4}$/.test(text.slice(at + 1, at + 5))) return -1;
      at += 4;
    } else if (!'"\\/bfnrt'.includes(text[at] ?? ' ')) return -1;
  }
  return -1;
}

/** The value of a well-formed string token. */
function stringOf(text: string, start: number, end: number): string {
  const inner = text.slice(start + 1, end - 1);
  return inner.includes('\\') ? String(JSON.parse(text.slice(start, end))) : inner;
}
