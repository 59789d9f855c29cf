import type { Stretch } from './code-points.ts';
import { classOf, LINE_ENDS, others, propertyOf } from './code-points.ts';
import type { Piece } from './pieces.ts';
import { assertion, choice, oneOf, repeated, sequence, Unsupported } from './pieces.ts';

/** Longer patterns are not looked at. */
const MAX_CHARACTERS = 10_000;
/** Groups that stand in one another. */
const MAX_GROUPS = 100;

/** Escapes of single characters (ECMA-262, section 22.2.1). */
const CONTROLS: Readonly<Record<string, number>> = {
  t: 0x09,
  n: 0x0a,
  v: 0x0b,
  f: 0x0c,
  r: 0x0d,
};

/**
 * A regular expression of ECMAScript in the syntax of RE2, such that both match the same texts. Only
 * whether a text matches is the same: groups are not kept.
 *
 * @param pattern one that `RegExp` takes
 * @throws Unsupported for back references, look-around, and what is too large
 */
export function toRe2(pattern: string): string {
  if (pattern.length > MAX_CHARACTERS) {
    throw new Unsupported(`is longer than ${MAX_CHARACTERS} characters`);
  }
  return new Translation(pattern).all().text;
}

interface Group {
  readonly alternatives: Piece[];
  pieces: Piece[];
}

class Translation {
  readonly #pattern: string;
  #at = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  all(): Piece {
    const open: Group[] = [];
    let group: Group = { alternatives: [], pieces: [] };
    for (let next = this.#peek(); next !== ''; next = this.#peek()) {
      if (next === '|') {
        this.#at += 1;
        group.alternatives.push(sequence(group.pieces));
        group.pieces = [];
      } else if (next === '(') {
        this.#openGroup();
        open.push(group);
        if (open.length > MAX_GROUPS) {
          throw new Unsupported(`has more than ${MAX_GROUPS} groups in one another`);
        }
        group = { alternatives: [], pieces: [] };
      } else if (next === ')') {
        this.#at += 1;
        const piece = closed(group);
        group = open.pop() ?? { alternatives: [], pieces: [] };
        group.pieces.push(this.#quantified(piece));
      } else {
        group.pieces.push(this.#quantified(this.#atom(next)));
      }
    }
    return closed(group);
  }

  #peek(): string {
    const code = this.#pattern.codePointAt(this.#at);
    return code === undefined ? '' : String.fromCodePoint(code);
  }

  /** The match of a sticky expression at this place, taken. */
  #take(regex: RegExp): RegExpExecArray | null {
    regex.lastIndex = this.#at;
    const match = regex.exec(this.#pattern);
    if (match !== null) this.#at = regex.lastIndex;
    return match;
  }

  #openGroup(): void {
    if (this.#take(/\((?:\?:|\?<(?![=!])[^>]*>)?(?!\?)/y) === null) {
      throw new Unsupported('looks ahead or behind');
    }
  }

  #atom(next: string): Piece {
    if (next === '\\') return this.#escape();
    if (next === '[') return this.#class();
    this.#at += next.length;
    if (next === '^' || next === '$') return assertion(next);
    if (next === '.') return oneOf(others(LINE_ENDS));
    return oneOf([single(next.codePointAt(0) ?? 0)]);
  }

  #escape(): Piece {
    const boundary = this.#take(/\\[bB]/y)?.[0];
    if (boundary !== undefined) return assertion(boundary);
    if (/^\\(?:[1-9]|k)/.test(this.#pattern.slice(this.#at, this.#at + 2))) {
      throw new Unsupported('refers back to what it matched');
    }
    return oneOf(this.#escaped());
  }

  /** The code points of an escape, in a class or outside of one. */
  #escaped(): readonly Stretch[] {
    const property = this.#take(/\\[pP]\{[^}]*\}/y)?.[0];
    if (property !== undefined) return propertyOf(property);
    const letter = this.#take(/\\([dDsSwW])/y)?.[1];
    if (letter !== undefined) return classOf(letter) ?? [];
    return [single(this.#character())];
  }

  /** The code point of an escape of one character. */
  #character(): number {
    const pair = this.#take(/\\u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})/iy);
    if (pair !== null) {
      const units = [pair[1], pair[2]].map((hex = '') => Number.parseInt(hex, 16));
      return String.fromCharCode(...units).codePointAt(0) ?? 0;
    }
    const hex = this.#take(/\\(?:u\{([0-9a-f]+)\}|u([0-9a-f]{4})|x([0-9a-f]{2}))/iy);
    if (hex !== null) return Number.parseInt(hex[1] ?? hex[2] ?? hex[3] ?? '', 16);
    const control = this.#take(/\\c([a-z])/iy)?.[1];
    if (control !== undefined) return (control.codePointAt(0) ?? 0) % 32;
    if (this.#take(/\\0(?![0-9])/y) !== null) return 0;
    if (/^\\[0-9c]/.test(this.#pattern.slice(this.#at, this.#at + 2))) {
      throw new Unsupported('escapes a character in an older way');
    }
    this.#at += 1;
    const plain = this.#peek();
    this.#at += plain.length;
    return CONTROLS[plain] ?? plain.codePointAt(0) ?? 0;
  }

  #class(): Piece {
    const isNot = this.#take(/\[(\^)?/y)?.[1] !== undefined;
    const stretches: Stretch[] = [];
    while (this.#peek() !== ']' && this.#peek() !== '') {
      const first = this.#member();
      if (this.#take(/-(?!\])/y) === null) {
        stretches.push(...first);
        continue;
      }
      const last = this.#member();
      const [[from, fromEnd] = [0, 0]] = first;
      const [[to, toEnd] = [0, 0]] = last;
      if (first.length !== 1 || last.length !== 1 || from !== fromEnd || to !== toEnd) {
        throw new Unsupported('has a range without an end');
      }
      stretches.push([from, to]);
    }
    this.#at += 1;
    return oneOf(isNot ? others(stretches) : stretches);
  }

  #member(): readonly Stretch[] {
    if (this.#take(/\\b/y) !== null) return [single(0x08)];
    const next = this.#peek();
    if (next === '\\') return this.#escaped();
    this.#at += next.length;
    return [single(next.codePointAt(0) ?? 0)];
  }

  #quantified(piece: Piece): Piece {
    const found = this.#take(/(?:([*+?])|\{([0-9]+)(?:(,)([0-9]*))?\})\??/y);
    if (found === null) return piece;
    const [, sign, least, comma, most] = found;
    if (sign === '*') return repeated(piece, 0, Infinity);
    if (sign === '+') return repeated(piece, 1, Infinity);
    if (sign === '?') return repeated(piece, 0, 1);
    if (comma === undefined) return repeated(piece, Number(least), Number(least));
    return repeated(piece, Number(least), most === '' ? Infinity : Number(most));
  }
}

function closed({ alternatives, pieces }: Group): Piece {
  return choice([...alternatives, sequence(pieces)]);
}

function single(code: number): Stretch {
  return [code, code];
}
