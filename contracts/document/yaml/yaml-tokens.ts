import type { CST } from 'yaml';
import { CST as cst, Lexer, Parser } from 'yaml';
import { progressed } from '../large/progress.ts';
import type { YamlLimits } from './yaml-limits.ts';
import { placeOf, tooDeep, tooMuch } from './yaml-problem.ts';

type Kind = string | null;

/** Lexemes that begin a key, a value or an item, whether or not it is left empty. */
const NODES: ReadonlySet<Kind> = new Set([
  'alias',
  'scalar',
  'single-quoted-scalar',
  'double-quoted-scalar',
  'block-scalar-header',
  'flow-map-start',
  'flow-seq-start',
  'seq-item-ind',
  'explicit-key-ind',
  'map-value-ind',
  'comma',
]);

/** Lexemes that may follow one another on a line: the lexer is one call deeper with each. */
const RUNS: ReadonlySet<Kind> = new Set([
  'anchor',
  'tag',
  'seq-item-ind',
  'explicit-key-ind',
  'map-value-ind',
]);

/** Lexemes that a document has few of. */
const MARKS: ReadonlySet<Kind> = new Set([
  'alias',
  'anchor',
  'tag',
  'directive-line',
  'doc-start',
  'doc-end',
]);

/** Lexemes of a line that holds nothing but, perhaps, a comment. */
const EMPTY: ReadonlySet<Kind> = new Set(['space', 'comment']);

/**
 * The tokens of a text, depth and number looked at while they come. They end after a second document and
 * after what can be no token, since nothing that follows makes the text good.
 *
 * @throws YamlProblem when it is too much
 */
export function* tokensOf(text: string, limits: YamlLimits): Generator<CST.Token> {
  const parser = new Parser();
  const counted = new Counted(limits);
  let documents = 0;
  for (const lexeme of lexemesOf(text)) {
    counted.add(lexeme);
    for (const token of parser.next(lexeme.lexeme)) {
      yield token;
      if (token.type === 'document') documents += 1;
      if (token.type === 'error') return yield* parser.end();
      if (documents > 1) return;
    }
    // Besides the collections, the document and the innermost value are on the stack.
    if (parser.stack.length > limits.mostDepth + 2) {
      throw tooDeep(limits.mostDepth, placeOf(text, parser.offset));
    }
  }
  yield* parser.end();
}

/** Read in some milliseconds. */
const LEXEMES_OF_A_STEP = 10_000;

/** Begins a comment in place of those that stood there. */
const COMMENT = '#';
const NEWLINE = '\n';

interface Lexeme {
  readonly lexeme: string;
  readonly kind: Kind;
}

/**
 * The lexemes of a text, in which a run of empty lines is one comment of the same length. A text may have
 * millions of such lines, and they mean nothing.
 */
function* lexemesOf(text: string): Generator<Lexeme> {
  let isLineStart = true;
  let isScalarNext = false;
  /** Characters of empty lines that are not passed on yet. */
  let empty = 0;
  let held: Lexeme[] = [];
  let lexemes = 0;
  for (const lexeme of new Lexer().lex(text)) {
    lexemes += 1;
    if (lexemes % LEXEMES_OF_A_STEP === 0) progressed();
    // What follows the sign of a scalar is its text, whatever it looks like.
    const kind: Kind = isScalarNext ? 'text' : cst.tokenType(lexeme);
    isScalarNext = kind === 'scalar';
    if (isLineStart && EMPTY.has(kind)) {
      held.push({ lexeme, kind });
    } else if (isLineStart && kind === 'newline') {
      empty += held.reduce((sum, one) => sum + one.lexeme.length, lexeme.length);
      held = [];
    } else {
      yield* emptyLines(empty);
      yield* held;
      yield { lexeme, kind };
      [empty, held, isLineStart] = [0, [], kind === 'newline'];
    }
  }
  yield* emptyLines(empty);
  yield* held;
}

function* emptyLines(characters: number): Generator<Lexeme> {
  if (characters > NEWLINE.length) {
    yield { lexeme: COMMENT.padEnd(characters - NEWLINE.length), kind: 'comment' };
  }
  if (characters > 0) yield { lexeme: NEWLINE, kind: 'newline' };
}

/** Counts what is bounded by its number. */
class Counted {
  readonly #limits: YamlLimits;
  #nodes = 0;
  #marks = 0;
  #run = 0;

  constructor(limits: YamlLimits) {
    this.#limits = limits;
  }

  /** @throws YamlProblem when it is too much */
  add({ kind, lexeme }: Lexeme): void {
    const { mostNodes, mostMarks, mostDepth } = this.#limits;
    if (kind === 'text') this.#nodes += newlinesIn(lexeme);
    else if (NODES.has(kind)) this.#nodes += 1;
    if (this.#nodes > mostNodes) {
      throw tooMuch(`it holds more than ${mostNodes} keys, values, items and lines of texts`);
    }
    if (MARKS.has(kind)) this.#marks += 1;
    if (this.#marks > mostMarks) {
      throw tooMuch(`it has more than ${mostMarks} anchors, aliases, tags and directives`);
    }
    if (RUNS.has(kind)) this.#run += 1;
    else if (kind !== 'space') this.#run = 0;
    if (this.#run > mostDepth) throw tooDeep(mostDepth);
  }
}

function newlinesIn(text: string): number {
  let newlines = 0;
  for (let at = text.indexOf(NEWLINE); at >= 0; at = text.indexOf(NEWLINE, at + 1)) newlines += 1;
  return newlines;
}
