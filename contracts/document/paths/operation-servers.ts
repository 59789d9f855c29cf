/** A server of a contract, its variables filled by their defaults. */
export interface StatedServer {
  /** With its port; undefined for a URL without a host, which is relative to the document. */
  readonly host: string | undefined;
  /** Without a trailing slash: `/v1`, or nothing. */
  readonly path: string;
}

/** Where the contract says that an operation is. */
export interface OperationServers {
  /** Those of the whole document, for which a base URL stands. */
  readonly main: readonly StatedServer[];
  /** Those of the operation: its own, else those of its path, else `main`. */
  readonly own: readonly StatedServer[];
}

/** Those of more servers than any service has are not looked for. */
const MAX_PLACES = 8;

const AT_ROOT: readonly StatedServer[] = [{ host: undefined, path: '' }];

/** Where the contract names no server: at the base URL. */
export const NO_SERVERS: OperationServers = { main: AT_ROOT, own: AT_ROOT };

/**
 * All path templates at which an operation may be, whatever the base URL: one that ends in the path of
 * its server, one without any path, and one that ends in that of the document's server.
 */
export function anyPlacesOf({
  pathTemplate,
  servers: { main, own },
}: {
  readonly pathTemplate: string;
  readonly servers: OperationServers;
}): string[] {
  const bases = ['', ...main.map(({ path }) => path)];
  const prefixes = own.flatMap(({ path }) =>
    bases.filter((base) => isWithin(path, base)).map((base) => path.slice(base.length)),
  );
  const distinct = [...new Set(['', ...prefixes])].slice(0, MAX_PLACES);
  return distinct.map((prefix) => prefix + pathTemplate);
}

/** Whether a path is that of another or below it. */
export function isWithin(path: string, other: string): boolean {
  return path === other || path.startsWith(`${other}/`);
}

/** A path without slashes at its end. */
export function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}
