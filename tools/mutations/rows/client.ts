import { mutationsOf, type Mutation } from '../mutation.ts';

const TARGET = 'target';
const REDACTOR = `${TARGET}/redaction/redactor.spec.ts`;

/** The client of a target, and what is kept out of its record. */
export const CLIENT_MUTATIONS: readonly Mutation[] = [
  ...mutationsOf(
    `${TARGET}/redaction/spans.ts`,
    [`${TARGET}/redaction/spans.spec.ts`],
    [
      [
        'span.weight > last.weight ? span : last',
        'span',
        'of two secrets that overlap the last one is named',
      ],
      [
        'const end = Math.max(span.end, last.end);',
        'const { end } = span;',
        'a part of the longer secret is left',
      ],
    ],
  ),
  ...mutationsOf(
    `${TARGET}/redaction/escapes.ts`,
    [`${TARGET}/redaction/spans.spec.ts`],
    [
      [
        'return (at - first) % 2 === 0;',
        'return true;',
        'a backslash that is itself escaped begins an escape',
      ],
      [
        'bytes[at] === PERCENT && areHex(bytes, at + 1, 2) ? 3 : 1',
        'bytes[at] === PERCENT ? 3 : 1',
        'a lone percent sign takes what follows along',
      ],
    ],
  ),
  ...mutationsOf(
    `${TARGET}/redaction/redactor.ts`,
    [REDACTOR, `${TARGET}/redaction/learned-secrets.spec.ts`],
    [
      [
        'publicValues.has(credential) ? redaction.text(credential, place) : MASK',
        'redaction.text(credential, place)',
        'a credential that nobody knows stands in the record',
      ],
      ["'set-cookie', ", '', 'the cookie of a target stands in the record'],
      [
        'body: redactBody(body, isSuccess ? place : outside) }',
        'body: redactBody(body, place) }',
        'an error may quote a secret',
      ],
      [
        'for (const dropped of values.splice(0, values.length - MAX_VALUES)) nameOf.delete(dropped);',
        '',
        'values of one name are kept without an end',
      ],
      ["if (claims) return 'claims';", '', 'the exchange that issues a credential shows it'],
    ],
  ),
  ...mutationsOf(
    `${TARGET}/redaction/learned-secrets.ts`,
    [
      `${TARGET}/redaction/learned-secrets.spec.ts`,
      `${TARGET}/redaction/keys-like-secrets.spec.ts`,
    ],
    [
      ['|| seen.has(value)', '', 'a word that stood in the run before is replaced from now on'],
      [
        'if (this.#byValue.size <= MAX_KEPT) break;',
        'break;',
        'learned secrets are kept without an end',
      ],
      [
        'if (this.#byValue.size <= MAX_KEPT) break;',
        'if (this.#byValue.size < MAX_KEPT) break;',
        'one secret fewer is kept than there is room for',
      ],
      [
        "return isData(value) ? 'outside-successes' : 'everywhere';",
        "return 'everywhere';",
        'data that looks like a credential is replaced in answers',
      ],
    ],
  ),
  ...mutationsOf(
    `${TARGET}/transport/client.ts`,
    [`${TARGET}/transport/client.spec.ts`],
    [
      [
        'last.throttled && attempts < mostOfThis',
        'last.throttled && attempts <= mostOfThis',
        'a throttled request is sent once more than it may',
      ],
      ['        listeners.delete(listener);\n', '', 'who stopped listening is still reported'],
      [
        'if (isSuccess(result)) {\n      const secrets',
        'if (isSuccess(result) || !isSuccess(result)) {\n      const secrets',
        'what a refusal says is taken for a credential',
      ],
      [
        'options.recorder?.record(exchange);',
        'options.recorder?.record(asItWas);',
        'the record holds what was to be kept out of it',
      ],
    ],
  ),
  ...mutationsOf(
    `${TARGET}/transport/content-encoding.ts`,
    [`${TARGET}/transport/content-encoding.spec.ts`],
    [
      [
        'codings.length > MAX_LAYERS',
        'codings.length > 1e6',
        'a body may have any number of layers',
      ],
      [
        'undone(codings.reverse(), ',
        'undone(codings, ',
        'the coding that was done first is undone first',
      ],
      ['maxOutputLength: maxBodyBytes', 'maxOutputLength: 1e9', 'a small body may fill the memory'],
      [
        'looksLikeZlib ? inflate : inflateRaw',
        'looksLikeZlib ? inflate : inflate',
        'a bare stream is no deflate',
      ],
    ],
  ),
  ...mutationsOf(
    `${TARGET}/transport/sendable.ts`,
    [`${TARGET}/transport/sendable.spec.ts`],
    [
      [
        'NOT_SENT.has(method.toUpperCase())',
        'NOT_SENT.has(method)',
        'a method in small letters is sent that none may',
      ],
      [
        'OWN_FIELDS.has(name.toLowerCase())',
        'OWN_FIELDS.has(name)',
        'a field of HTTP itself is set in another letter case',
      ],
    ],
  ),
  ...mutationsOf(
    `${TARGET}/config/fresh-keys.ts`,
    [`${TARGET}/config/fresh-keys.spec.ts`],
    [
      [
        'const kept = UUID.test(key) ? KIND_OF_UUID : [];',
        'const kept: readonly number[] = [];',
        'a UUID becomes none',
      ],
      [
        'digitsOf(`${run}\\n${key}`, key.length)',
        'digitsOf(run, key.length)',
        'all keys of a run become one',
      ],
    ],
  ),
  ...mutationsOf(
    `${TARGET}/config/without-password.ts`,
    [`${TARGET}/config/without-password.spec.ts`],
    [
      [
        'one.at > last.at ? one : last',
        'one.at < last.at ? one : last',
        'of two at-signs the first one ends the password',
      ],
      [
        "host.startsWith('[') ? -1 : host.indexOf(':')",
        "host.indexOf(':')",
        'an IPv6 address is taken for a password',
      ],
    ],
  ),
];
