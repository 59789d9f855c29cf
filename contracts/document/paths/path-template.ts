/** The literal texts of a segment of a path template, a parameter between each two. */
export type Segment = readonly string[];

/** The segments of a path template, in the form of {@link comparable}. */
export function segmentsOf(template: string): Segment[] {
  return template
    .replaceAll(/\{[^}]*\}/g, '{}')
    .split('/')
    .map((segment) => segment.split('{}').map(comparable));
}

/**
 * Whether segments of a path are those of a template. Each parameter stands for one or more characters
 * that are no slash. No regular expression: `/{a}{b}{c}` as one takes cubic time.
 */
export function areSegments(segments: readonly string[], wanted: readonly Segment[]): boolean {
  return (
    segments.length === wanted.length &&
    segments.every((segment, index) => isSegment(segment, wanted[index] ?? []))
  );
}

/** Whether texts stand in a segment in this order, one or more characters between each two. */
function isSegment(segment: string, texts: Segment): boolean {
  const [first = '', ...others] = texts;
  const last = others.pop();
  if (last === undefined) return segment === first;
  if (!segment.startsWith(first)) return false;
  let at = first.length;
  for (const text of others) {
    // The earliest place leaves most for what follows.
    const found = segment.indexOf(text, at + 1);
    if (found < 0) return false;
    at = found + text.length;
  }
  return segment.endsWith(last) && segment.length - last.length > at;
}

/** Whether every path of a template is one of another as well. */
export function isPartOf(segments: readonly Segment[], other: readonly Segment[]): boolean {
  // What stands for a parameter here is no character of any literal text.
  return areSegments(
    segments.map((texts) => texts.join('\0')),
    other,
  );
}

/** What has another form in paths that mean the same: all that is or should be percent-encoded. */
const UNUSUAL = /[^!#$&-;=?-[\]_a-z~]/;
const UNSENDABLE = /[^!#-;=?-[\]_a-z~]+/g;
const ENCODED = /%[0-9a-f]{2}/gi;
const UNRESERVED = /[-.0-9A-Z_a-z~]/;

/**
 * A path in the form in which equal ones are equal texts (RFC 3986 section 6.2.2). Encoded is all that
 * a URL cannot hold and nothing that needs no encoding. An encoded slash is no slash.
 */
export function comparable(path: string): string {
  if (!UNUSUAL.test(path)) return path;
  return path.replaceAll(UNSENDABLE, encoded).replaceAll(ENCODED, (code) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
    return UNRESERVED.test(character) ? character : code.toUpperCase();
  });
}

function encoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    // Half of a surrogate pair, which no URL can hold.
    return text;
  }
}
