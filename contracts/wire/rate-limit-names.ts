/** Which header fields may speak of a rate limit: their names are not shown (section 8). */

import type { HeaderList } from './exchange.ts';

/** Words in the names of such fields, as services use them. */
const LIMIT_NAMES =
  /limit|quota|throttl|weight|remaining|reset|retry-|(?:^|-)(?:rl|rate|used|usage|credits|burst|window|allowed|allowance)(?:-|$)/;

/** Fields of HTTP, browsers, servers and proxies, which speak of other things. */
const OTHER: readonly RegExp[] = [
  /^(?:accept|access-control|cache|cf|content|cross-origin|fly|proxy|referrer|sec|strict|x-content)(?:-|$)/,
  /^(?:age|alt-svc|allow|connection|cookie|date|deprecation|etag|expires|keep-alive|last-modified|link|location|nel|origin-.*|.*-policy|pragma|priority|report-to|reporting-endpoints|server|set-cookie|sunset|trailer|transfer-encoding|upgrade.*|vary|via|warning|www-authenticate|x-.*-(?:protection|options|control|policies|by)|x-robots-tag)$/,
  /request-?id|trac[ei]|span|b3-|correlation|version|build|revision|tim(?:e|ing)|duration|latency|cache|served|backend|upstream|amz|azure|varnish|forwarded|instance|region|node/,
  /(?:^|-)(?:id|ip|pop|hits)$/,
];

/** A number that stands by itself, as counts, times and shares do. */
const NUMBER = /(?:^|[\s=,;:"/{[(])[0-9]+(?:\.[0-9]+)?(?=$|[\s,;:"/%}\])smhd])/;

/** Whether a field may speak of a rate limit: by its name, or since it states a number of its own. */
export function mayNameLimit(name: string, value: string): boolean {
  const plain = name.toLowerCase();
  if (LIMIT_NAMES.test(plain)) return true;
  return NUMBER.test(value) && !OTHER.some((other) => other.test(plain));
}

/** Whether any field may; `Retry-After` (RFC 9110 section 10.2.3) is treated apart. */
export function limitFieldsIn(headers: HeaderList): 'some' | 'retry-after alone' | 'none' {
  const fields = headers.filter(([name, value]) => mayNameLimit(name, value));
  if (fields.length === 0) return 'none';
  const isAlone = fields.every(([name]) => name.toLowerCase() === 'retry-after');
  return isAlone ? 'retry-after alone' : 'some';
}
