import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of test data that stands beside checkouts and is no part of them. */
const SHARED_DATA = join(import.meta.dirname, '..', '..', '..', 'shared', 'data');

/**
 * The folder of some test data; undefined if this machine does not have it, which a line says.
 *
 * @throws Error if it must be there, that is if the variable `CI` is set
 */
export function sharedData(name: string): string | undefined {
  const folder = join(SHARED_DATA, name);
  if (existsSync(folder)) return folder;
  if ((process.env.CI ?? '') !== '') throw new Error(`there is no ${folder}, which CI must have`);
  console.warn(`LEFT OUT: what needs ${folder}, which is not there.`);
  return undefined;
}
