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

/** Where requests reach an operation below a base URL. */
export interface PlacesBelow {
  /**
   * What stands there before its path template; of several one is right, the likeliest comes first.
   * None where it is not below the URL.
   */
  readonly prefixes: readonly string[];
  /** Whether it must be below one of them, for the URL stands for a server that has the operation. */
  readonly isCertain: boolean;
}

/**
 * Where requests reach an operation below a base URL. The URL stands for the servers of the document,
 * with their path or without it, on their host or another one. A server on a host of its own is taken
 * to be there as well, unless the base URL is on a host that the document names.
 *
 * @param baseUrl undefined where it is not known
 */
export function placesBelow(
  { main, own }: OperationServers,
  baseUrl: string | undefined,
): PlacesBelow {
  const isKnown = baseUrl !== undefined && URL.canParse(baseUrl);
  const { host, pathname } = isKnown ? new URL(baseUrl) : { host: '', pathname: '' };
  const base: Base = { path: withoutSlashes(pathname), main: main.map(({ path }) => path) };
  const isNamed = [...main, ...own].some((server) => server.host === host);
  const there = isNamed
    ? own.filter((server) => server.host === undefined || server.host === host)
    : own;
  const prefixes = there.flatMap((server) =>
    prefixesBelow(server.path, base, isNamed && server.host === host),
  );
  const isCertain = there.some(
    (server) =>
      server.host === undefined ||
      server.host === host ||
      main.some((one) => one.host === server.host),
  );
  return { prefixes: [...new Set(prefixes)], isCertain };
}

interface Base {
  readonly path: string;
  readonly main: readonly string[];
}

/** The prefixes below a base URL for a server of a path. */
function prefixesBelow(path: string, base: Base, isOfBase: boolean): string[] {
  if (path !== '' && base.path.endsWith(path)) return [''];
  const held = base.main.find((main) => main !== '' && base.path.endsWith(main));
  if (held !== undefined) return isWithin(path, held) ? [path.slice(held.length)] : [];
  return isOfBase ? [path] : ['', path];
}

/** Whether a path is that of another or below it. */
function isWithin(path: string, other: string): boolean {
  return path === other || path.startsWith(`${other}/`);
}

/** A path without slashes at its end. */
export function withoutSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}
