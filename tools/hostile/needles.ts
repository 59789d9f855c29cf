/** Finding secrets in whatever was left behind, in any form that gives them away. */

/** A form of a secret, in lower case: everything is looked through without regard to case. */
interface Needle {
  readonly secret: string;
  readonly form: string;
  readonly text: string;
}

/** Shorter pieces of an encoding stand in other texts by chance. */
const LEAST = 8;

/** All forms of the secrets, by the names of their variables. */
export function needlesOf(secrets: Readonly<Record<string, string>>): Needle[] {
  return Object.entries(secrets).flatMap(([secret, value]) =>
    Object.entries(formsOf(value))
      .filter(([form, text]) => form === 'plain' || (text.length >= LEAST && text !== value))
      .map(([form, text]) => ({ secret, form, text: text.toLowerCase() })),
  );
}

/** The secrets that a text gives away, each with its form. */
export function leaksIn(text: string, needles: readonly Needle[]): string[] {
  const low = text.toLowerCase();
  const plain = needles.filter(({ form }) => form === 'plain');
  return [
    ...needles.filter((needle) => low.includes(needle.text)).map(reported('')),
    ...Object.entries(DECODINGS).flatMap(([name, decode]) => {
      const decoded = decode(low);
      if (decoded === low) return [];
      return plain
        .filter((needle) => decoded.includes(needle.text))
        .map(reported(` behind ${name}`));
    }),
  ];
}

const reported =
  (behind: string) =>
  ({ secret, form }: Needle): string =>
    `${secret} as ${form}${behind}`;

/** Undoes escapes that may stand for some characters only; of text in lower case. */
const DECODINGS: Readonly<Record<string, (text: string) => string>> = {
  'JSON escapes': (text) =>
    text
      // In JSON within JSON the backslashes are many; one step each, so that no text takes for ever.
      .replace(/\\+/g, '\\')
      .replace(/\\u([0-9a-f]{4})/g, (_, digits: string) => unit(parseInt(digits, 16))),
  'HTML entities': (text) =>
    text.replace(/&#(?:x0*([0-9a-f]{1,6})|0*(\d{1,7}));?/g, (_, hex?: string, decimal?: string) =>
      unit(hex === undefined ? Number(decimal) : parseInt(hex, 16)),
    ),
  'percent escapes': (text) =>
    text.replace(/%(?:25)?([0-9a-f]{2})/g, (_, digits: string) => unit(parseInt(digits, 16))),
  'percent escapes of UTF-16': (text) =>
    text.replace(/%u([0-9a-f]{4})/g, (_, digits: string) => unit(parseInt(digits, 16))),
  'percent escapes of full-width letters': (text) => fullWidth(utf8(text, /%([0-9a-f]{2})/g)),
  'full-width letters': fullWidth,
  'quoted-printable': (text) => utf8(text, /=([0-9a-f]{2})/g),
  'characters that nobody sees': (text) =>
    text
      .replace(/&#(\d{1,7});/g, (_, digits: string) => unit(Number(digits)))
      .replace(/\u200b|\u00ad|&shy;|\\u200b|\\u00ad/g, '')
      .replace(/\\(["\\])/g, '$1'),
};

/** Bytes in hexadecimal, each behind a sign, as UTF-8. */
function utf8(text: string, escape: RegExp): string {
  const bytes = text.replace(escape, (_, digits: string) =>
    String.fromCharCode(parseInt(digits, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8').toLowerCase();
}

function fullWidth(text: string): string {
  return text.replace(/[\uff01-\uff5e]/g, (char) =>
    String.fromCharCode(char.charCodeAt(0) - 0xfee0).toLowerCase(),
  );
}

function unit(code: number): string {
  return code > 0x10ffff ? '' : String.fromCodePoint(code).toLowerCase();
}

function formsOf(value: string): Record<string, string> {
  const bytes = Buffer.from(value);
  const wide = Buffer.from(value, 'utf16le');
  const wideBig = Buffer.from(wide).swap16();
  const units = Array.from(value);
  const code = (unit: string): number => unit.codePointAt(0) ?? 0;
  const percent = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const plain64 = bytes.toString('base64');
  return {
    plain: value,
    'JSON string': JSON.stringify(value).slice(1, -1),
    'JSON string in a JSON string': JSON.stringify(JSON.stringify(value)).slice(3, -3),
    'JSON escapes': units.map((unit) => `\\u${code(unit).toString(16).padStart(4, '0')}`).join(''),
    'twice JSON escapes': units
      .map((unit) => `\\\\u${code(unit).toString(16).padStart(4, '0')}`)
      .join(''),
    'percent escapes': percent,
    'percent escapes where needed': encodeURIComponent(value),
    'percent escapes twice': percent.replaceAll('%', '%25'),
    hex: bytes.toString('hex'),
    'hex, spaced': percent.slice(1).replaceAll('%', ' '),
    'hex, with colons': percent.slice(1).replaceAll('%', ':'),
    reversed: units.toReversed().join(''),
    'reversed in JSON': JSON.stringify(units.toReversed().join('')).slice(1, -1),
    'reversed, quotes escaped': units.toReversed().join('').replaceAll('"', '\\"'),
    'base32, offset 0': base32(bytes, 0),
    'base32, offset 1': base32(bytes, 1),
    'UTF-16 in hex': wide.toString('hex'),
    'UTF-16 in hex, high byte first': wideBig.toString('hex'),
    'HTML entities': units.map((unit) => `&#${code(unit)};`).join(''),
    'HTML entities in hex': units.map((unit) => `&#x${code(unit).toString(16)};`).join(''),
    'UTF-16': units.join('\0'),
    'UTF-16, its zeros escaped': units.join('\\u0000'),
    'UTF-16 in JSON': units.map((unit) => JSON.stringify(unit).slice(1, -1)).join('\\u0000'),
    ...base64Forms('base64', bytes),
    ...base64Forms('UTF-16 in base64', wide),
    ...base64Forms('UTF-16 in base64, high byte first', wideBig),
    ...base64Forms('base64 in base64', Buffer.from(plain64)),
  };
}

/** What base32 makes of the bytes at an offset, without what depends on neighbours. */
function base32(bytes: Buffer, offset: number): string {
  const all = [...Buffer.concat([Buffer.alloc(offset), bytes])];
  const bits = all.map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? [])
    .map((five) => 'abcdefghijklmnopqrstuvwxyz234567'.charAt(parseInt(five, 2)))
    .slice(Math.ceil((offset * 8) / 5))
    .join('');
}

/** What base64 makes of the bytes at each of three offsets, without what depends on neighbours. */
function base64Forms(name: string, bytes: Buffer): Record<string, string> {
  const forms = [0, 1, 2].flatMap((offset): [string, string][] => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    const sure = Math.floor(((offset + bytes.length) * 8) / 6);
    const piece = text.slice(Math.ceil((offset * 8) / 6), sure);
    return [
      [`${name}, offset ${offset}`, piece],
      [`${name}url, offset ${offset}`, piece.replaceAll('+', '-').replaceAll('/', '_')],
    ];
  });
  return Object.fromEntries(forms);
}
