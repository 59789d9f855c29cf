import type { Document } from 'yaml';
import { Composer, isAlias, isMap, isPair, isScalar, isSeq } from 'yaml';
import { walkJson } from '../../wire/json-walk.ts';
import { lostNumber } from '../decimal.ts';
import { type LongNumber, type NotedNumbers, noteNumbers, notingNumbers } from './long-numbers.ts';
import { progressed } from '../large/progress.ts';
import type { YamlLimits } from './yaml-limits.ts';
import { placeOf, tooDeep, tooMuch, YamlProblem } from './yaml-problem.ts';
import { tokensOf } from './yaml-tokens.ts';

export { CONFIG_YAML, CONTRACT_YAML, type YamlLimits } from './yaml-limits.ts';
export { placeOf, YamlProblem } from './yaml-problem.ts';

/** Options of {@link parseYaml}. */
export interface YamlOptions {
  readonly limits: YamlLimits;
  /** Whether `<<` merges mappings, which YAML 1.2 itself does not know; default no. */
  readonly merge?: boolean;
  /** Where texts of numbers are put that a double does not hold, by what they stand in and their keys. */
  readonly longNumbers?: NotedNumbers;
}

/**
 * The value of a YAML text of somebody else: one document, no key twice, aliases to what is complete.
 * JSON is YAML. It takes time and memory linear in the text, and limits are held before anything is
 * made of what exceeds them.
 *
 * @throws YamlProblem
 */
export function parseYaml(text: string, options: YamlOptions): unknown {
  const { limits, longNumbers } = options;
  const bytes = Buffer.byteLength(text);
  if (bytes > limits.mostBytes) {
    throw tooMuch(`it has ${bytes} bytes, and at most ${limits.mostBytes} are read`);
  }
  const found: LongNumber[] = [];
  if (isPlainJson(text, limits, found)) {
    const value = JSON.parse(text) as unknown;
    if (longNumbers !== undefined) noteNumbers(value, found, longNumbers);
    return value;
  }
  const document = documentOf(text, options);
  if (document === undefined) return null;
  return longNumbers === undefined
    ? valueOf(document)
    : notingNumbers(document, longNumbers, valueOf);
}

/**
 * A YAML text as a tree that gives the places of its nodes; undefined for an empty one. The same is asked of
 * it as by {@link parseYaml}, except for its bytes.
 *
 * @throws YamlProblem
 */
export function documentOf(
  text: string,
  { limits, merge = false }: YamlOptions,
): Document | undefined {
  const problems: Problem[] = [];
  const [document, second] = composerOf(problems, text, merge).compose(
    tokensOf(text, limits),
    true,
    text.length,
  );
  if (document === undefined) return undefined;
  problems.push(...document.errors.map(({ message, pos: [offset] }) => ({ message, offset })));
  if (second !== undefined) {
    const message = 'Source contains more than one document';
    problems.push({ message, offset: second.range[0] });
  }
  const walk = new Walk(limits);
  walk.node(document.contents);
  const first = firstOf(text, problems.concat(walk.problems));
  if (first !== undefined) throw first;
  return document;
}

interface Problem {
  readonly message: string;
  readonly offset: number;
}

/** Each character of a text can be a problem: no more than so many are looked at. */
const MAX_PROBLEMS = 1_000;

/** @param problems where it puts what is wrong */
function composerOf(problems: Problem[], text: string, merge: boolean): Composer {
  // Unique keys are looked for by the walk: the composer compares each key with each.
  const composer = new Composer({ uniqueKeys: false, merge, prettyErrors: false });
  const onError = (at: ProblemPlace, _code: string, message: string, isWarning = false): void => {
    if (isWarning) return;
    // What is thrown here comes back as a problem of what is around.
    if (problems.length < MAX_PROBLEMS) problems.push({ message, offset: offsetOf(at) });
    if (problems.length === MAX_PROBLEMS) throw firstOf(text, problems) ?? new Error(message);
  };
  // Its own keeps an error with a stack for each problem, of which there may be millions.
  return Object.assign(composer, { onError });
}

type ProblemPlace = number | readonly [number, ...unknown[]] | { readonly offset: number };

function offsetOf(at: ProblemPlace): number {
  if (typeof at === 'number') return at;
  return 'offset' in at ? at.offset : at[0];
}

function firstOf(text: string, problems: readonly Problem[]): YamlProblem | undefined {
  const [first] = problems.toSorted((a, b) => a.offset - b.offset);
  return first && new YamlProblem(first.message, placeOf(text, first.offset), false);
}

/**
 * Whether a text is JSON without a key that stands twice: it costs a tenth then. What is not is for
 * the parser of YAML, which reports where it is wrong.
 *
 * @param longNumbers where its numbers are put that a double does not hold
 */
function isPlainJson(
  text: string,
  { mostDepth, mostExpandedNodes }: YamlLimits,
  longNumbers: LongNumber[],
): boolean {
  if (!/^\s{0,8}[[{]/.test(text)) return false;
  const keys: Set<string>[] = [];
  const path: string[] = [];
  let nodes = 0;
  let isTwice = false;
  const isJson = walkJson(text, {
    enter: (depth, key) => {
      nodes += 1;
      if (nodes > mostExpandedNodes) {
        throw tooMuch(`it holds more than ${mostExpandedNodes} keys, values and items`);
      }
      if (depth > mostDepth) throw tooDeep(mostDepth);
      path[depth - 1] = String(key);
      if (typeof key === 'number') return;
      const known = (keys[depth] ??= new Set());
      if (known.has(key)) isTwice = true;
      known.add(key);
    },
    // What was known below belongs to another object from here on.
    leave: (depth, start, end) => {
      keys[depth + 1]?.clear();
      if (end - start > MAX_DIGITS || lostNumber(text.slice(start, end)) === undefined) return;
      longNumbers.push({ path: path.slice(0, depth), text: text.slice(start, end) });
    },
  });
  return isJson && !isTwice;
}

/** Longer numbers are not read digit by digit. */
const MAX_DIGITS = 1_000;

/** Collections that are no values of JSON. */
const NO_JSON: readonly unknown[] = ['tag:yaml.org,2002:set', 'tag:yaml.org,2002:omap'];

/**
 * Looks at the nodes of a document: each key once, and how much it is with aliases written out. What YAML
 * 1.1 or a tag makes a date or bytes stays the text that is written.
 */
class Walk {
  readonly problems: Problem[] = [];
  readonly #limits: YamlLimits;
  /** Nodes under the latest anchor of a name; undefined while it is not complete. */
  readonly #sizes = new Map<string, number | undefined>();
  #expanded = 0;

  constructor(limits: YamlLimits) {
    this.#limits = limits;
  }

  /** @returns how many nodes it is, with aliases written out */
  node(node: unknown): number {
    if (isAlias(node)) return this.#alias(node.source, node.range?.[0] ?? 0);
    const anchor = isScalar(node) || isMap(node) || isSeq(node) ? node.anchor : undefined;
    if (anchor !== undefined) this.#sizes.set(anchor, undefined);
    let size = 1;
    this.#expand(1);
    if (isScalar(node) && (node.value instanceof Date || node.value instanceof Uint8Array)) {
      node.value = node.source;
    } else if ((isMap(node) || isSeq(node)) && NO_JSON.includes(node.tag)) {
      const message = `A value of the tag ${node.tag ?? ''} is none of JSON`;
      this.problems.push({ message, offset: node.range?.[0] ?? 0 });
    }
    if (isMap(node)) {
      for (const { key, value } of node.items) size += this.node(key) + this.node(value);
      this.#keysOf(node.items);
    } else if (isSeq(node)) {
      for (const item of node.items) {
        size += isPair(item) ? this.node(item.key) + this.node(item.value) : this.node(item);
      }
    }
    if (anchor !== undefined) this.#sizes.set(anchor, size);
    return size;
  }

  #alias(name: string, offset: number): number {
    const size = this.#sizes.get(name);
    if (size === undefined) {
      const message = this.#sizes.has(name)
        ? `The alias ${name} is circular: it stands in what it stands for`
        : `The alias ${name} stands for nothing that comes before it`;
      this.problems.push({ message, offset });
    }
    this.#expand(size ?? 1);
    return size ?? 1;
  }

  #keysOf(items: readonly { readonly key: unknown }[]): void {
    const known = new Set<unknown>();
    for (const { key } of items) {
      if (!isScalar(key)) continue;
      const offset = key.range?.[0] ?? 0;
      const name = nameOf(key.value);
      if (known.has(name)) this.problems.push({ message: 'Map keys must be unique', offset });
      known.add(name);
    }
  }

  #expand(nodes: number): void {
    progressed();
    this.#expanded += nodes;
    const { mostExpandedNodes } = this.#limits;
    if (this.#expanded > mostExpandedNodes) {
      throw tooMuch(`its aliases stand for more than ${mostExpandedNodes} keys, values and items`);
    }
  }
}

/** A key as the name of a member: `200` is `'200'`. A merge, which may stand twice, is a symbol of its own. */
function nameOf(key: unknown): unknown {
  if (key === null) return '';
  return typeof key === 'number' || typeof key === 'boolean' ? String(key) : key;
}

function valueOf(document: Document): unknown {
  try {
    // How much aliases stand for is known here.
    return document.toJS({ maxAliasCount: -1 }) as unknown;
  } catch (error) {
    // e.g. a merge of what is no mapping
    throw new YamlProblem(error instanceof Error ? error.message : String(error), undefined, false);
  }
}
