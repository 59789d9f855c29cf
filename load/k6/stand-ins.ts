/**
 * Stand-ins for what rules use and k6 has not: as much of each as they use, and no more. Bundled before
 * everything else.
 */

/** The query of a URL (URL Standard, section 5). */
class Parameters {
  readonly #pairs: readonly [string, string][];

  constructor(query: string) {
    this.#pairs = query
      .replace(/^\?/, '')
      .split('&')
      .filter((pair) => pair !== '')
      .map((pair) => {
        const at = pair.indexOf('=');
        const [name, value] = at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
        return [decoded(name), decoded(value)];
      });
  }

  get(name: string): string | null {
    return this.getAll(name)[0] ?? null;
  }

  getAll(name: string): string[] {
    return this.#pairs.filter(([key]) => key === name).map(([, value]) => value);
  }

  has(name: string): boolean {
    return this.#pairs.some(([key]) => key === name);
  }

  keys(): IterableIterator<string> {
    return this.#pairs.map(([name]) => name)[Symbol.iterator]();
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.#pairs[Symbol.iterator]();
  }
}

/** Percent signs that begin no escape stay as they are. */
function decoded(text: string): string {
  return text.replaceAll('+', ' ').replace(/(?:%[0-9a-fA-F]{2})+/g, (escape) => {
    try {
      return decodeURIComponent(escape);
    } catch {
      return '\uFFFD';
    }
  });
}

/** Scheme, user, host, port, path, query and fragment of an absolute URL with a host. */
const WEB = /^(https?|ftp|wss?):[\\/]*([^\\/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/i;
const OTHER = /^[a-z][a-z0-9+.-]*:[^\s]*$/i;
const USER = /^(?:([^@]*)@)?(.*)$/;
const HOST = /^(\[[0-9a-fA-F:.]+\]|[^\s<>"#%/:?@[\\\]^`{|}]+)(?::([0-9]*))?$/;

/** An absolute URL, as far as rules on logos and links look at it. Relative ones are not parsed. */
class AbsoluteUrl {
  readonly protocol: string;
  readonly hostname: string;
  readonly pathname: string;
  username = '';
  port = '';
  search = '';
  hash = '';

  constructor(text: string) {
    const trimmed = text.trim();
    const [, scheme, authority = '', path = '', search = '', hash = ''] = WEB.exec(trimmed) ?? [];
    if (scheme === undefined) {
      if (!OTHER.test(trimmed) || WEB_SCHEME.test(trimmed)) throw new TypeError('Invalid URL');
      const at = trimmed.indexOf(':') + 1;
      this.protocol = trimmed.slice(0, at).toLowerCase();
      this.hostname = /^\/\/([^/?#]*)/.exec(trimmed.slice(at))?.[1] ?? '';
      this.pathname = trimmed.slice(at);
      return;
    }
    const [, user = '', place = ''] = USER.exec(authority) ?? [];
    const [, host, port = ''] = HOST.exec(place) ?? [];
    if (host === undefined || Number(port) > 65_535) throw new TypeError('Invalid URL');
    this.protocol = `${scheme.toLowerCase()}:`;
    this.username = user.split(':')[0] ?? '';
    this.hostname = host.toLowerCase();
    this.port = port;
    this.pathname = path === '' ? '/' : path;
    this.search = search.length > 1 ? search : '';
    this.hash = hash.length > 1 ? hash : '';
  }

  static canParse(text: string): boolean {
    try {
      return new AbsoluteUrl(text).protocol !== '';
    } catch {
      return false;
    }
  }
}
const WEB_SCHEME = /^(?:https?|ftp|wss?):/i;

class Utf8Encoder {
  encode(text = ''): Uint8Array {
    const bytes: number[] = [];
    for (const character of text) {
      const code = character.codePointAt(0) ?? 0;
      // A half of a pair by itself is written as U+FFFD (Encoding Standard).
      pushUtf8(bytes, code >= 0xd800 && code <= 0xdfff ? 0xfffd : code);
    }
    return Uint8Array.from(bytes);
  }
}

/** RFC 3629 section 3. */
function pushUtf8(bytes: number[], code: number): void {
  if (code < 0x80) bytes.push(code);
  else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 0x3f));
  else {
    if (code < 0x10000) bytes.push(0xe0 | (code >> 12));
    else bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 0x3f));
    bytes.push(0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f));
  }
}

/** Bytes that hex can be decoded into. */
class Bytes extends Uint8Array {
  /** Writes pairs of hex digits until one is none, and returns how many bytes were written. */
  write(text: string): number {
    const most = Math.min(this.length, Math.floor(text.length / 2));
    for (let at = 0; at < most; at += 1) {
      const high = hexDigit(text.charCodeAt(2 * at));
      const low = hexDigit(text.charCodeAt(2 * at + 1));
      if (high < 0 || low < 0) return at;
      this[at] = high * 16 + low;
    }
    return most;
  }
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

function utf8Length(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // Each half of a pair is counted as two of its four bytes.
    bytes += code < 0x80 ? 1 : code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 2 : 3;
  }
  return bytes;
}

/** What is put in place where the engine has nothing of the name. */
export const STAND_INS: Readonly<Record<string, unknown>> = {
  URL: AbsoluteUrl,
  URLSearchParams: Parameters,
  TextEncoder: Utf8Encoder,
  Buffer: { alloc: (length: number) => new Bytes(length), byteLength: utf8Length },
};

/** Beyond 64 bits k6's engine makes a number of the lowest of them, and says nothing. */
const LARGE = 2n ** 64n + 1n;

/** `Number` that is right of every bigint (ECMAScript 2023, section 21.1.1.1), made from one that is not. */
export function mendedNumber(native: NumberConstructor): NumberConstructor {
  const mended = (...values: readonly unknown[]): number => {
    const [value] = values;
    if (values.length === 0) return 0;
    return native(typeof value === 'bigint' ? value.toString() : value);
  };
  Object.defineProperties(mended, Object.getOwnPropertyDescriptors(native));
  return mended as unknown as NumberConstructor;
}

/** Puts the stand-ins in place, if the engine has nothing of the name, or something wrong. */
export function putInPlace(engine: Record<string, unknown>): void {
  const native = engine.Number as NumberConstructor | undefined;
  if (native !== undefined && native(LARGE) !== 2 ** 64) engine.Number = mendedNumber(native);
  for (const [name, value] of Object.entries(STAND_INS)) engine[name] ??= value;
}
