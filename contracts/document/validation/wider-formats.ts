import type { Format } from 'ajv';
import addFormats from 'ajv-formats';

/**
 * Formats that `ajv-formats` has and reads too narrowly, or in quadratic time. What RFCs allow must pass;
 * what only looks right may pass as well.
 */
export const WIDER_FORMATS: Readonly<Record<string, Format>> = {
  /** OpenAPI's registry: signed, of 64 bits; `ajv-formats` takes all integers. */
  int64: {
    type: 'number',
    validate: (value: number) => Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63,
  },
  /** Of older documents: http, https or ftp with a host. */
  url: (text) =>
    /^(?:https?|ftp):\/\/[^\s/?#]/i.test(text) && !/\s/.test(text) && URL.canParse(text),
  /** RFC 5321 section 4.1.2: a local part may be quoted, and a domain may be an address in brackets. */
  email: (text) => {
    const at = text.lastIndexOf('@');
    return at > 0 && /^(?:[^\s@]+|\[[^\s\]]+\])$/.test(text.slice(at + 1)) && !/\p{Cc}/u.test(text);
  },
  /** RFC 6570 section 2: expressions in braces, none in another. */
  'uri-template': (text) => /^(?:[^\s{}]|\{[^\s{}]+\})*$/.test(text),
  /** RFC 3339 section 5.6: a second has any number of digits behind its point. */
  'date-time': withFewDigits('date-time'),
  time: withFewDigits('time'),
};

/** A format of times, of whose seconds three digits behind the point are read. */
function withFewDigits(name: 'date-time' | 'time'): (text: string) => boolean {
  const format = addFormats.default.get(name) as { validate: (text: string) => boolean };
  return (text) => format.validate(text.replace(/(\.\d{3})\d+/, '$1'));
}
