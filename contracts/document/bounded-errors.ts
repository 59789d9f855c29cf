import type { ErrorObject, ValidateFunction } from 'ajv';
import { MAX_POINTER_CHARACTERS } from '../wire/places.ts';

/** At most this many errors of one body are listed; the rest are counted. */
export const MAX_ERRORS = 5_000;

/** Adds an error. */
const PUSH =
  /const (err\d+) = (\{[^]*?\});if\(vErrors === null\)\{vErrors = \[\1\];\}else \{vErrors\.push\(\1\);\}errors\+\+;/g;
/** Adds the errors of a schema that was called as a function. */
const MERGE =
  /vErrors = vErrors === null \? ([\w$.]+)\.errors : vErrors\.concat\(\1\.errors\);errors = vErrors\.length;/g;
/** Takes back the errors of a branch that did not matter. */
const CUT = /vErrors\.length = (_errs\d+);/g;
/** Writes a key into the place of an error, for each error below it. */
const KEY = /(\w+)\.replace\(\/~\/g, "~0"\)\.replace\(\/\\\/\/g, "~1"\)/g;
/** Ends a function. */
const RETURN = /([\w$]+)\.errors = vErrors;return errors === 0;/g;

/**
 * Rewrites code that ajv generated with `allErrors` (its option `code.process`), so that it keeps the
 * first {@link MAX_ERRORS} errors and counts the others. As it is, it keeps them all, and copies all
 * that it has for each item of a list that breaks a referenced schema: a target chooses how many.
 *
 * Keys of great length are cut in places, since each error below one would cost what it is long.
 *
 * What stays true throughout is that `vErrors` holds the first of `errors` errors, so that verdicts
 * are those of the code as it was. The total is left beside the errors, as `total`.
 */
export function boundErrors(code: string, most: number = MAX_ERRORS): string {
  return code
    .replace(
      PUSH,
      // An error that is not listed is not made.
      (_, error: string, made: string) =>
        `if(vErrors === null || vErrors.length < ${most}){const ${error} = ${made};if(vErrors === null){vErrors = [${error}];}else {vErrors.push(${error});}}errors++;`,
    )
    .replace(
      MERGE,
      (_, callee: string) =>
        // The function is looked up once: to look it up may count as a step.
        `{const called = ${callee};if(vErrors === null){vErrors = called.errors;}else {for(let at = 0; at < called.errors.length && vErrors.length < ${most}; at++){vErrors.push(called.errors[at]);}}errors += called.total;}`,
    )
    .replace(
      CUT,
      (_, before: string) => `if(vErrors.length > ${before}){vErrors.length = ${before};}`,
    )
    .replace(KEY, (escaping, key: string) => {
      const most = MAX_POINTER_CHARACTERS;
      return `(${key}.length > ${most} ? ${key}.slice(0, ${most}) + "…" : ${escaping})`;
    })
    .replace(
      RETURN,
      (_, own: string) => `${own}.errors = vErrors;${own}.total = errors;return errors === 0;`,
    );
}

/** What is wrong with a value: the first errors, and how many there were in all. */
export interface BoundedErrors {
  readonly errors: readonly ErrorObject[];
  readonly total: number;
}

/** The errors of the value that was validated last. */
export function errorsOf(validate: ValidateFunction): BoundedErrors {
  const errors = validate.errors ?? [];
  const { total } = validate as { total?: unknown };
  return { errors, total: typeof total === 'number' ? total : errors.length };
}
