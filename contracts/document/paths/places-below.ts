import { isWithin, type OperationServers, withoutSlashes } from './operation-servers.ts';

/** Where requests reach an operation below a base URL. */
export interface PlacesBelow {
  /**
   * What stands there before its path template; of several one is right, the likeliest comes first.
   * None if it is not below the URL.
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
 * @param baseUrl undefined if it is not known
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
