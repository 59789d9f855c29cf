import type { CST, Document } from 'yaml';
import { Composer, CST as cst, isAlias, isMap, isPair, isScalar, isSeq, Lexer, Parser } from 'yaml';
import { walkJson } from '../../wire/json-walk.ts';
import type { YamlLimits } from './yaml-limits.ts';

export { CONFIG_YAML, CONTRACT_YAML, type YamlLimits } from './yaml-limits.ts';

/** Thrown when a text is no YAML, or holds more than is looked at. */
export class YamlProblem extends Error {
  override readonly name = 'YamlProblem';
  /** Whether the text may be good YAML that is too much: then nothing is known of it. */
  readonly isLimit: boolean;
  /** Where, counted from 1; undefined where it is the whole text. */
  readonly place: { readonly line: number; readonly column: number } | undefined;

  /** @param message a sentence without its end, e.g. `Map keys must be unique` */
  constructor(message: string, place: YamlProblem['place'], isLimit: boolean) {
    super(message);
    this.place = place;
    this.isLimit = isLimit;
  }
}

/** Options of {@link parseYaml}. */
export interface YamlOptions {
  readonly limits: YamlLimits;
  /** Whether `<<` merges mappings, which YAML 1.2 itself does not know; default no. */
  readonly merge?: boolean;
}

/** Lexemes that begin a key, a value or an item, whether or not it is left empty. */
const NODES: ReadonlySet<string | null> = new Set([
  'scalar',
  'single-quoted-scalar',
  'double-quoted-scalar',
  'block-scalar-header',
  'alias',
  'flow-map-start',
  'flow-seq-start',
  'seq-item-ind',
  'explicit-key-ind',
  'map-value-ind',
  'comma',
]);

/**
 * The value of a YAML text of somebody else: one document, no key twice, aliases to what is complete.
 * JSON is YAML. It takes time and memory linear in the text, and limits are held before anything is
 * made of what exceeds them.
 *
 * @throws YamlProblem
 */
export function parseYaml(text: string, { limits, merge = false }: YamlOptions): unknown {
  const bytes = Buffer.byteLength(text);
  if (bytes > limits.mostBytes) {
    throw tooMuch(`it has ${bytes} bytes, and at most ${limits.mostBytes} are read`);
  }
  if (isPlainJson(text, limits)) return JSON.parse(text) as unknown;
  const document = documentOf(text, { limits, merge });
  return document === undefined ? null : valueOf(document);
}

/**
 * A YAML text as a tree that tells where its nodes stand; undefined for an empty one. The same is asked of
 * it as by {@link parseYaml}, except for its bytes.
 *
 * @throws YamlProblem
 */
export function documentOf(
  text: string,
  { limits, merge = false }: YamlOptions,
): Document | undefined {
  const tokens = [...tokensOf(text, limits)];
  // Unique keys are looked for below: the composer compares each key with each.
  const composer = new Composer({ uniqueKeys: false, merge, prettyErrors: false });
  const [document, second] = composer.compose(tokens, true, text.length);
  if (document === undefined) return undefined;
  const problems = document.errors.map(({ message, pos: [offset] }) => ({ message, offset }));
  if (second !== undefined) {
    const message = 'Source contains more than one document';
    problems.push({ message, offset: second.range[0] });
  }
  const walk = new Walk(limits);
  walk.node(document.contents);
  problems.push(...walk.problems);
  const [first] = problems.sort((a, b) => a.offset - b.offset);
  if (first !== undefined) throw new YamlProblem(first.message, placeOf(text, first.offset), false);
  return document;
}

/**
 * Whether a text is JSON without a key that stands twice: it costs a tenth then. What is not is for
 * the parser of YAML, which tells where it is wrong.
 */
function isPlainJson(text: string, { mostDepth, mostExpandedNodes }: YamlLimits): boolean {
  if (!/^\s{0,8}[[{]/.test(text)) return false;
  const keys: Set<string>[] = [];
  let nodes = 0;
  let isTwice = false;
  const isJson = walkJson(text, {
    enter: (depth, key) => {
      nodes += 1;
      if (nodes > mostExpandedNodes) {
        throw tooMuch(`it holds more than ${mostExpandedNodes} keys, values and items`);
      }
      if (depth > mostDepth) throw tooDeep(mostDepth);
      if (typeof key === 'number') return;
      const known = (keys[depth] ??= new Set());
      if (known.has(key)) isTwice = true;
      known.add(key);
    },
    // What was known below belongs to another object from here on.
    leave: (depth) => keys[depth + 1]?.clear(),
  });
  return isJson && !isTwice;
}

/** The tokens of a text, depth and number looked at while they come. */
function* tokensOf(text: string, { mostDepth, mostNodes }: YamlLimits): Generator<CST.Token> {
  const parser = new Parser();
  let nodes = 0;
  let characters = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (NODES.has(cst.tokenType(lexeme))) nodes += 1;
    if (nodes > mostNodes) {
      throw tooMuch(`it holds more than ${mostNodes} keys, values and items`);
    }
    yield* parser.next(lexeme);
    characters += lexeme.length;
    // Besides the collections, the document and the innermost value are on the stack.
    if (parser.stack.length > mostDepth + 2) {
      const place = placeOf(text, characters);
      throw tooDeep(mostDepth, place);
    }
  }
  yield* parser.end();
}

/** Looks at the nodes of a document: each key once, and how much it is with aliases written out. */
class Walk {
  readonly problems: { readonly message: string; readonly offset: number }[] = [];
  readonly #limits: YamlLimits;
  /** Nodes under the latest anchor of a name; undefined while it is not complete. */
  readonly #sizes = new Map<string, number | undefined>();
  #aliases = 0;
  #expanded = 0;

  constructor(limits: YamlLimits) {
    this.#limits = limits;
  }

  /** @returns how many nodes it is, with aliases written out */
  node(node: unknown): number {
    if (isAlias(node)) return this.#alias(node.source, node.range?.[0] ?? 0);
    const anchor = isScalar(node) || isMap(node) || isSeq(node) ? node.anchor : undefined;
    if (anchor !== undefined) {
      this.#count();
      this.#sizes.set(anchor, undefined);
    }
    let size = 1;
    this.#expand(1);
    if (isMap(node)) {
      this.#keysOf(node.items);
      for (const { key, value } of node.items) size += this.node(key) + this.node(value);
    } else if (isSeq(node)) {
      for (const item of node.items) {
        size += isPair(item) ? this.node(item.key) + this.node(item.value) : this.node(item);
      }
    }
    if (anchor !== undefined) this.#sizes.set(anchor, size);
    return size;
  }

  #alias(name: string, offset: number): number {
    this.#count();
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
      if (known.has(key.value)) this.problems.push({ message: 'Map keys must be unique', offset });
      known.add(key.value);
    }
  }

  #count(): void {
    this.#aliases += 1;
    const { mostAliases } = this.#limits;
    if (this.#aliases > mostAliases) {
      throw tooMuch(`it has more than ${mostAliases} anchors and aliases`);
    }
  }

  #expand(nodes: number): void {
    this.#expanded += nodes;
    const { mostExpandedNodes } = this.#limits;
    if (this.#expanded > mostExpandedNodes) {
      throw tooMuch(`its aliases stand for more than ${mostExpandedNodes} keys, values and items`);
    }
  }
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

function tooDeep(mostDepth: number, place?: YamlProblem['place']): YamlProblem {
  return tooMuch(`its lists and mappings are more than ${mostDepth} levels deep`, place);
}

function tooMuch(what: string, place?: YamlProblem['place']): YamlProblem {
  return new YamlProblem(what, place, true);
}

/** The line and the column, from 1, of a place in a text. */
export function placeOf(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let begin = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1;
    begin = at + 1;
  }
  return { line, column: offset - begin + 1 };
}
