import { RE2JS } from 're2js';
import { Unsupported } from './pieces.ts';
import { toRe2 } from './translate.ts';

/** A pattern of a schema, ready to be tried on texts. */
export type Pattern =
  | {
      readonly kind: 'supported';
      /** Whether a text holds a match, in time linear in its length. */
      readonly test: (text: string) => boolean;
    }
  | {
      readonly kind: 'unsupported';
      /** Why it is not run, after `it`: `looks ahead or behind`. */
      readonly reason: string;
    }
  | {
      /** It is no regular expression. */
      readonly kind: 'malformed';
      readonly reason: string;
    };

const MAX_KNOWN = 2_000;
const known = new Map<string, Pattern>();

/**
 * A pattern as JSON Schema has it, a regular expression of ECMAScript, to be run by an engine that
 * takes linear time whatever pattern and text are: contracts and answers are those of others.
 */
export function patternOf(source: string): Pattern {
  let pattern = known.get(source);
  if (pattern === undefined) {
    if (known.size >= MAX_KNOWN) known.clear();
    pattern = compiled(source);
    known.set(source, pattern);
  }
  return pattern;
}

/** The expression as ECMAScript compiles it: with `u`, else as older documents have it. */
export function nativeRegExp(source: string): RegExp {
  try {
    return new RegExp(source, 'u');
  } catch {
    return new RegExp(source);
  }
}

function compiled(source: string): Pattern {
  try {
    nativeRegExp(source);
  } catch (error) {
    return { kind: 'malformed', reason: error instanceof Error ? error.message : String(error) };
  }
  try {
    const regex = RE2JS.compile(toRe2(source));
    return { kind: 'supported', test: (text) => regex.test(text) };
  } catch (error) {
    if (error instanceof Unsupported) return { kind: 'unsupported', reason: error.message };
    return { kind: 'unsupported', reason: 'is beyond what its engine can do' };
  }
}
