import { readdirSync, readFileSync } from 'node:fs';

/** How many files, sockets among them, this process may have open; `Infinity` where nobody tells. */
export function openFileLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'latin1');
    const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
    return soft === undefined ? Infinity : Number(soft);
  } catch {
    return Infinity;
  }
}

/** For records, reports and modules that are loaded late. */
const RESERVED = 48;

/**
 * How many connections to each origin this process can have at once, one at least; `Infinity` where
 * nobody tells.
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
