import type { RegExpEngine, RegExpLike } from 'ajv/dist/types/index.js';
import { nativeRegExp, patternOf } from '../../patterns/pattern.ts';

/** Runs patterns in place of RegExp, in linear time. */
export const REGEXP_ENGINE: RegExpEngine = Object.assign(
  (source: string): RegExpLike => {
    const pattern = patternOf(source);
    // What is no expression at all throws here, as RegExp does.
    if (pattern.kind === 'malformed') nativeRegExp(source);
    // What cannot be run was taken out of the schema, or else is not judged.
    const test = pattern.kind === 'supported' ? pattern.test : (): boolean => true;
    // By this name the compiler distinguishes expressions.
    return Object.assign(Object.create({ toString: () => source }) as object, { test });
  },
  { code: 'RE2' },
);
