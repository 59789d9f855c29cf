import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the references of a contract may lead. */
export interface RefPolicy {
  /** URL of the file that the user named. */
  readonly root: string;
  /** Hosts, with a port or without, that references may lead to besides. */
  readonly allowRefs: readonly string[];
  /** The working directory, below which local files may be referred to. */
  readonly cwd: string;
}

const HTTP = /^https?:$/;
const LOCAL_NAMES = /\.(?:ya?ml|json)$/i;

/**
 * Why a reference may not be followed, as a clause after `which`; undefined if it may.
 *
 * A contract says what is read and what a run depends on. So whoever writes one must not make
 * this machine ask other hosts, or read files that are no contracts.
 */
export function refusalOf(target: URL, { root, allowRefs, cwd }: RefPolicy): string | undefined {
  const from = new URL(root);
  const port = target.port || (target.protocol === 'https:' ? '443' : '80');
  const names = [target.hostname, `${target.hostname}:${port}`];
  const isAllowed = allowRefs.some((host) => names.includes(host.toLowerCase()));
  if (HTTP.test(target.protocol)) {
    if (isAllowed || target.origin === from.origin) return undefined;
    const where = HTTP.test(from.protocol) ? 'is of another origin' : 'is on the network';
    return `${where}; if you trust it, allow it with --allow-ref ${target.host}`;
  }
  if (target.protocol !== 'file:') return `is no file: ${target.protocol} is not followed`;
  if (from.protocol !== 'file:') {
    return 'is a file of this machine, which no contract from the network may refer to';
  }
  const file = fileURLToPath(target);
  const own = path.dirname(fileURLToPath(from));
  if (!LOCAL_NAMES.test(file)) return 'has no name of a contract: .yaml, .yml or .json';
  if ([own, path.dirname(own), cwd].some((folder) => isBelow(file, folder))) return undefined;
  return 'stands neither near the contract nor below the working directory';
}

function isBelow(file: string, folder: string): boolean {
  // Everything is below the root; that says nothing.
  if (folder === path.parse(folder).root) return path.dirname(file) === folder;
  const way = path.relative(folder, file);
  return way !== '' && !way.startsWith('..') && !path.isAbsolute(way);
}
