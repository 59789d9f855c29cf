import path from 'node:path';
import type { Source } from '../sources/sources.ts';

/** This machine, or a name without a dot, which no public host has. */
const LOCAL = /^(?:[a-z][a-z0-9-]*|127(?:\.\d{1,3}){3}|\[::1\]|0\.0\.0\.0)$/;
/** Names and addresses that are nobody's: RFC 2606, RFC 6761, RFC 5737. */
const RESERVED =
  /(?:^|\.)(?:example|invalid|test|localhost|example\.(?:com|net|org))$|^(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d+$/;
/** Names that only identify a schema or a standard. */
const STANDARDS =
  /^(?:json-schema\.org|in-toto\.io|www\.w3\.org|spec\.openapis\.org|www\.rfc-editor\.org|datatracker\.ietf\.org|docs\.oasis-open\.org)$/;
/** Documentation that texts may point to. */
const DOCUMENTATION = /^(?:(?:www|docs)\.npmjs\.com|nodejs\.org|opensource\.org|spdx\.org)$/;
const URL_HOST =
  /\b(?:https?|wss?|rediss?):\/\/(?:[^\s/"'`@]*@)?(\[[^\]]*\]|[^\s/:?#"'`<>()\\,;${}]*)/gi;

/** URLs of hosts that may be somebody's. Hosts that a template or a placeholder fills in are none. */
export function foreignHosts(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path: file, text }) =>
    [...text.matchAll(URL_HOST)].flatMap(({ 0: url, 1: host = '', index }) => {
      const name = host.toLowerCase().replace(/\.$/, '');
      const known =
        [LOCAL, RESERVED, STANDARDS].some((hosts) => hosts.test(name)) ||
        (path.extname(file) === '.md' && DOCUMENTATION.test(name));
      if (known || !/^[\p{L}\p{N}[]/u.test(name)) return [];
      return [`${file}:${text.slice(0, index).split('\n').length} has the host of ${url}`];
    }),
  );
}
