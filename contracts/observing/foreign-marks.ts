/** The marks of a document that somebody gave: read as far as they are any, and as long as they are few. */

import type { FiledSchema } from './composite.ts';
import type { TreeReading } from './tree.ts';
import { type Mark, MarkError, marksOf } from './marks.ts';

/** Values of schemas that are looked at, and schemas within each other. */
const MAX_VALUES = 40_000;
const MAX_DEPTH = 200;
/** Marks of one schema, and all that are met; what more there are is left out. */
const MAX_MARKS = 20;
const MAX_MET = 5_000;
const LEDGER = /^[a-z0-9-]{1,60}(?:\.[a-z0-9-]{1,60}){0,5}$/;
const MAX_CLAUSE = 300;
const MAX_BEFORE = 60;

/** How the marks of a document of somebody's are read, and what was left out by then. */
export interface ForeignReading extends TreeReading {
  /** Sentences, to follow the name of the document. */
  readonly leftOut: () => readonly string[];
}

/** A reading for one document. */
export function foreignReading(): ForeignReading {
  let values = 0;
  let met = 0;
  let wrong: string | undefined;
  const marksIn = (schema: FiledSchema['schema']): readonly Mark[] => {
    if (!Object.hasOwn(schema, 'x-unspecified')) return [];
    return [schema['x-unspecified']]
      .flat()
      .slice(0, MAX_MARKS)
      .flatMap((one: unknown) => {
        met += 1;
        const problem = problemOf(one);
        wrong ??= problem;
        return problem === undefined && met <= MAX_MET ? marksOf({ 'x-unspecified': one }) : [];
      });
  };
  return {
    marksOf: marksIn,
    goesOn: (depth) => {
      values += 1;
      return values <= MAX_VALUES && depth < MAX_DEPTH;
    },
    leftOut: () => [
      ...(wrong === undefined ? [] : [`has a mark that collects nothing: ${wrong}`]),
      ...(values > MAX_VALUES || met > MAX_MET
        ? ['is too large to look for all of its marks']
        : []),
    ],
  };
}

/** Why a mark is none; undefined if it is one, or a text, which is for readers alone. */
function problemOf(one: unknown): string | undefined {
  if (typeof one === 'string') return undefined;
  try {
    const bad = marksOf({ 'x-unspecified': one }).find(
      ({ ledger, clause, before }) =>
        !LEDGER.test(ledger) || clause.length > MAX_CLAUSE || before.length > MAX_BEFORE,
    );
    if (bad === undefined) return undefined;
    return `its ledger is to be words joined by dots, its clause ${MAX_CLAUSE} characters at most, and what stands before ${MAX_BEFORE}`;
  } catch (error) {
    if (error instanceof MarkError) return cut(error.message);
    throw error;
  }
}

function cut(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
