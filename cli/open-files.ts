import { readdirSync, readFileSync } from 'node:fs';
import { machineFailureIn, machineFailureOf } from '../contracts/wire/machine/machine-failure.ts';

/**
 * How many files, sockets among them, this process may have open; `Infinity` if the system gives none, and 0
 * where none is left to ask with.
 */
export function openFileLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'latin1');
    const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
    return soft === undefined ? Infinity : Number(soft);
  } catch (error) {
    return machineFailureIn(String(error)) === undefined ? Infinity : 0;
  }
}

/** For records, reports and modules that are loaded late. */
const RESERVED = 48;

/**
 * How many connections to each origin this process can have at once, one at least; `Infinity` where
 * the system gives none.
 *
 * @param ends of each connection that are of this process: two where the service is, too
 */
export function affordableConnections(origins: number, ends: 1 | 2): number {
  const most = openFileLimit();
  if (most === Infinity) return Infinity;
  const left = most - openFiles() - RESERVED;
  return Math.max(1, Math.floor(left / (Math.max(1, origins) * ends)));
}

function openFiles(): number {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return 0;
  }
}

/** Loading opens many files at once; with fewer it may fail. */
const ENOUGH_FILES = 256;
/** What Node and Vite say of a file of a package that is installed and that they could not open. */
const NOT_FOUND = /^(?:Cannot find (?:package|module)|Failed to load url|Invalid package) /;

/**
 * The cause and what helps, if the message of an error is of this machine: also of a module that is not
 * found where too few files may be open.
 */
export function machineFailureBehind(message: string): string | undefined {
  const isOfFiles = NOT_FOUND.test(message) && openFileLimit() < ENOUGH_FILES;
  return machineFailureIn(message) ?? (isOfFiles ? machineFailureOf('EMFILE') : undefined);
}
