import { type Document, isMap, isPair, isScalar, isSeq } from 'yaml';
import { isObject } from '../../wire/json.ts';
import { lostNumber } from '../decimal.ts';

/** Texts of numbers that a double does not hold, by what they stand in and their keys. */
export type NotedNumbers = Map<object, Map<string, string>>;

/** A number of a JSON text that a double does not hold. */
export interface LongNumber {
  /** Keys and indices that lead to it. */
  readonly path: readonly string[];
  readonly text: string;
}

/** Stands in a document for a number until it is known what it stands in. */
class Mark {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Notes the numbers of a parsed JSON text. */
export function noteNumbers(
  value: unknown,
  numbers: readonly LongNumber[],
  noted: NotedNumbers,
): void {
  for (const { path, text } of numbers) {
    const holder = path.slice(0, -1).reduce<unknown>(memberOf, value);
    const key = path.at(-1);
    if (key !== undefined) note(noted, holder, key, text);
  }
}

/**
 * The value of a document of YAML, its numbers noted. What an alias repeats is one object.
 *
 * @param toValue makes the value
 */
export function notingNumbers(
  document: Document,
  noted: NotedNumbers,
  toValue: (document: Document) => unknown,
): unknown {
  const count = mark(document.contents);
  const value = toValue(document);
  return count === 0 ? value : withoutMarks(value, noted);
}

/** @returns how many numbers were marked, keys aside */
function mark(node: unknown): number {
  if (isMap(node)) return node.items.reduce((sum, { value }) => sum + mark(value), 0);
  if (isSeq(node)) {
    return node.items.reduce<number>(
      (sum, item) => sum + mark(isPair(item) ? item.value : item),
      0,
    );
  }
  if (!isScalar(node) || typeof node.value !== 'number' || node.source === undefined) return 0;
  const text = asInJson(node.source);
  // What an older version of YAML reads otherwise stays as it was read.
  if (Number(text) !== node.value || lostNumber(text) === undefined) return 0;
  node.value = new Mark(text);
  return 1;
}

/** More digits of another base are not read. */
const MAX_LENGTH = 400;

/** The text of a number as JSON has it (YAML 1.2.2, section 10.3.2, and 1.1 with `_`). */
function asInJson(source: string): string {
  const digits = source.replaceAll('_', '');
  if (/^0[xob]/.test(digits)) return digits.length > MAX_LENGTH ? '' : String(BigInt(digits));
  return digits
    .replace(/^\+/, '')
    .replace(/^(?=\.)|^-(?=\.)/, '$&0')
    .replace(/\.(?=$|[eE])/, '');
}

function withoutMarks(root: unknown, noted: NotedNumbers): unknown {
  if (root instanceof Mark) return Number(root.text);
  const seen = new Set<unknown>([root]);
  // More come while the first ones are looked at.
  for (const holder of seen) {
    if (!Array.isArray(holder) && !isObject(holder)) continue;
    for (const [key, inner] of Object.entries(holder)) {
      if (inner instanceof Mark) {
        note(noted, holder, key, inner.text);
        Object.defineProperty(holder, key, { value: Number(inner.text) });
      } else seen.add(inner);
    }
  }
  return root;
}

function memberOf(holder: unknown, key: string): unknown {
  return (holder as Readonly<Record<string, unknown>>)[key];
}

function note(noted: NotedNumbers, holder: unknown, key: string, text: string): void {
  if (!Array.isArray(holder) && !isObject(holder)) return;
  const known = noted.get(holder);
  if (known === undefined) noted.set(holder, new Map([[key, text]]));
  else known.set(key, text);
}
