import type { View } from '../../../judging/view.ts';

/** Names of the machine itself, under any of which one service may be addressed (RFC 6761). */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** More of a URL is not looked at. */
const MAX_CHARACTERS = 2_000;

/** Host and path of a URL in one spelling: names of the machine itself are one, as are ends by `/`. */
export interface Base {
  /** With its port, if that is not the one of the scheme. */
  readonly host: string;
  /** Without a slash at its end. */
  readonly path: string;
}

/** The host and path of an absolute http or https URL; undefined for what is none. */
export function baseIn(url: unknown): Base | undefined {
  if (typeof url !== 'string' || url.length > MAX_CHARACTERS || !URL.canParse(url)) {
    return undefined;
  }
  const { protocol, hostname, port, pathname } = new URL(url);
  if (!/^https?:$/.test(protocol)) return undefined;
  const name = LOOPBACK.test(hostname) ? 'localhost' : hostname.replace(/\.$/, '');
  const host = port === '' ? name : `${name}:${port}`;
  return { host, path: pathname.replace(/\/$/, '') };
}

/** The base URL under which an API was asked. */
export function askedBaseOf({ exchange: { request } }: View): Base | undefined {
  const { url, path } = request;
  return url.endsWith(path) ? baseIn(url.slice(0, url.length - path.length)) : undefined;
}

export function isSameBase(one: Base, other: Base): boolean {
  return one.host === other.host && one.path === other.path;
}

/** Whether a place is at a base or below it. */
export function isBelow({ host, path }: Base, base: Base): boolean {
  return host === base.host && (path === base.path || path.startsWith(`${base.path}/`));
}
