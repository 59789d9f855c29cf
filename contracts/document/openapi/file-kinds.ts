/** What a file of a contract is, and in which dialect its schemas are written. */

import { isObject } from '../../wire/json.ts';
import { type Dialect, type Kind, saysItsDialect } from './openapi-objects.ts';

/**
 * What a file is as a whole; undefined if only those who refer to it say so.
 *
 * @param isRoot whether it is the one that the user named
 */
export function kindOf(file: unknown, isRoot: boolean): Kind | undefined {
  if (!isObject(file)) return undefined;
  if (typeof file.openapi === 'string') return 'document';
  return isRoot || saysItsDialect(file) ? 'schema' : undefined;
}

/** A file that does not say it is written as the one that the user named. */
export function dialectOf(file: unknown, root: unknown): Dialect {
  for (const one of [file, root]) {
    if (!isObject(one)) continue;
    if (typeof one.openapi === 'string') return one.openapi.startsWith('3.0') ? '3.0' : '2020-12';
    if (saysItsDialect(one)) return '2020-12';
  }
  return '2020-12';
}
