import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../contracts/wire/exchange.ts';
import { bodyOf, bytesOf } from '../body/body.ts';
import { createRedactor } from './redactor.ts';
import { FORMS } from './forms.testkit.ts';

const NAME = 'ASSAY_TRADE_KEY';
const SECRETS: Readonly<Record<string, string>> = {
  token: 'sk_live-4f9A~b2.C8d+e/x=',
  'all kinds of characters': 'k$y "wi\\th" <it\'s> & 100%41 é😀 end',
  'a key with line breaks': `-----BEGIN KEY-----\n${'MIIEvQIBADANBg+kqh/kiG9w0\n'.repeat(12)}-----END KEY-----\n`,
};

/** Where a target may put what it echoes, or Assay what it was given. */
const PLACES: Readonly<Record<string, (text: string) => Partial<Exchange>>> = {
  'the URL': (text) => ({ request: { ...request, url: `http://127.0.0.1/${text}/v1` } }),
  'the path': (text) => ({ request: { ...request, path: `/v1/${text}` } }),
  'the query': (text) => ({ request: { ...request, path: `/v1?q=${text}&r=1` } }),
  'a request header': (text) => ({ request: { ...request, headers: [['X-Gate', text]] } }),
  'the name of a header': (text) => ({ request: { ...request, headers: [[text, 'x']] } }),
  'the request body': (text) => ({ request: { ...request, body: bodyOf(Buffer.from(text)) } }),
  'a response header': (text) => ({ outcome: response('{}', [['X-Echo', `<${text}>`]]) }),
  'an error': (text) => ({ outcome: response(JSON.stringify({ message: `no: ${text}` })) }),
  'text in the body': (text) => ({ outcome: response(`>>${text}<<`) }),
  'the message of a failure': (text) => ({
    outcome: { kind: 'failure', failure: 'closed', message: `not HTTP: ${text}` },
  }),
  'what is known of the request': (text) => ({ purpose: { kind: 'invalid', defect: text } }),
};

const request: Exchange['request'] = {
  method: 'POST',
  url: 'http://127.0.0.1/v1',
  path: '/v1',
  headers: [],
  body: null,
};

function response(
  body: string | Buffer,
  headers: readonly (readonly [string, string])[] = [],
): Exchange['outcome'] {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return { kind: 'response', response: { status: 200, headers, body: bodyOf(bytes) } };
}

function exchange(changes: Partial<Exchange>): Exchange {
  return {
    ...{ id: 'x00001', api: 'zap', purpose: { kind: 'unknown' }, relations: [], request },
    ...{ outcome: response('{}'), sentAtMs: 0, latencyMs: 1 },
    ...changes,
  };
}

/** Every text of an exchange, and what its bodies that are no text hold. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  if ('encoding' in value && value.encoding === 'base64') {
    const bytes = Buffer.from(String((value as { text?: unknown }).text), 'base64');
    return [bytes.toString('latin1')];
  }
  return Object.values(value).flatMap(textsOf);
}

describe.each(Object.entries(SECRETS))('%s', (_kind, secret) => {
  const redactor = createRedactor({ [NAME]: secret });

  test.each(Object.entries(FORMS))('as %s is hidden in every place', (_form, make) => {
    const spelt = make(secret);
    for (const [place, put] of Object.entries(PLACES)) {
      const isBytes = typeof spelt !== 'string';
      if (isBytes && place !== 'text in the body') continue;
      const planted = isBytes
        ? exchange({ outcome: response(Buffer.concat([Buffer.from('>>'), spelt])) })
        : exchange(put(spelt));
      const texts = textsOf(redactor.exchange(planted));
      const needle = isBytes ? spelt.toString('latin1') : spelt;
      expect(
        texts.filter((text) => text.includes(needle)),
        place,
      ).toEqual([]);
      expect(
        texts.some((text) => text.includes(`$${NAME}`)),
        place,
      ).toBe(true);
      // What is left beside the name shows nothing of the middle of the secret.
      const middle = needle.slice(needle.length / 3, (needle.length * 2) / 3);
      expect(
        texts.filter((text) => text.includes(middle)),
        place,
      ).toEqual([]);
    }
  });

  test.each(Object.entries(FORMS))('as %s: redacting again changes nothing', (_form, make) => {
    const spelt = make(secret);
    if (typeof spelt !== 'string') return;
    const once = redactor.text(`a ${spelt} b ${spelt}`);
    expect(redactor.text(once)).toBe(once);
  });

  test('JSON that holds it stays JSON', () => {
    for (const json of [{ a: secret }, { a: `\\${secret}\\`, [secret]: 1 }, [`"${secret}"`]]) {
      const text = JSON.stringify(json);
      const redacted = redactor.text(text);
      expect(redacted).toContain(NAME);
      expect(() => JSON.parse(redacted) as unknown, redacted).not.toThrow();
      const twice = redactor.text(JSON.stringify(text));
      expect(() => JSON.parse(JSON.parse(twice) as string) as unknown, twice).not.toThrow();
    }
  });
});

test('every character may be spelt in another way, some of them several times', () => {
  const secret = SECRETS['all kinds of characters'] ?? '';
  const redactor = createRedactor({ [NAME]: secret });
  const ways: readonly ((char: string) => string)[] = [
    (char) => char,
    (char) => encodeURIComponent(char),
    (char) =>
      [...Buffer.from(char)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
    (char) => JSON.stringify(char).slice(1, -1),
    (char) => `&#${char.codePointAt(0) ?? 0};`,
    (char) =>
      Array.from(
        { length: char.length },
        (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`,
      ).join(''),
  ];
  // An encoder spares no character that begins an escape.
  const always = [1, 2, 4, 5];
  const layer = (text: string, choices: readonly number[]): string =>
    Array.from(text, (char, at) => {
      const choice = choices[at % choices.length] ?? 0;
      const way = /[\\%&]/.test(char) ? always[choice % always.length] : choice;
      return ways[way ?? 0]?.(char) ?? char;
    }).join('');
  const choices = fc.array(fc.nat(ways.length - 1), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(fc.array(choices, { minLength: 1, maxLength: 3 }), (layers) => {
      const spelt = layers.reduce(layer, secret);
      expect(redactor.text(`<${spelt}>`)).toBe(`<$${NAME}>`);
    }),
    { numRuns: 300 },
  );
});

test('no bit of a secret is left at the ends of its base64', () => {
  const redactor = createRedactor({ [NAME]: 'correct-horse-battery' });
  for (let before = 0; before < 4; before += 1) {
    for (let after = 0; after < 4; after += 1) {
      const bytes = Buffer.from(`${'\0'.repeat(before)}correct-horse-battery${'\0'.repeat(after)}`);
      const redacted = redactor.text(`<${bytes.toString('base64')}>`);
      // NUL alone is A.
      expect(redacted).toMatch(/^<A*\$ASSAY_TRADE_KEYA*=*>$/);
    }
  }
});

test('a secret that ends in a backslash, or begins like an escape, leaves JSON whole', () => {
  for (const secret of [
    'abcdefg\\',
    'nabcdef',
    'u0041bc',
    '41bcdef',
    '\\"a\\"b\\"c',
    '\\a\\b\\c\\\\',
  ]) {
    const redactor = createRedactor({ [NAME]: secret });
    for (const value of [
      secret,
      `\n${secret}`,
      `\\${secret}`,
      `${secret}"x`,
      'A"\\\\"\\\\',
      '\nabcdef',
    ]) {
      const redacted = redactor.text(JSON.stringify({ value }));
      expect(() => JSON.parse(redacted) as unknown, redacted).not.toThrow();
    }
  }
  const redactor = createRedactor({ [NAME]: '41bcdef' });
  expect(() => decodeURIComponent(redactor.text('/v1/%41bcdef'))).not.toThrow();
});

test('text without a secret stays as it is, whatever escapes it has', () => {
  const redactor = createRedactor({ [NAME]: SECRETS.token ?? '', ASSAY_SECRET_GATE: 'Zm9vYmFy' });
  const bits = fc.constantFrom(
    '\\',
    'u',
    '00',
    '%',
    '25',
    '&#',
    ';',
    '"',
    'Zm9v',
    '$',
    'é',
    '\ud800',
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(bits).map((parts) => parts.join('')),
    fc.json(),
  );
  fc.assert(
    fc.property(text, (raw) => {
      expect(redactor.text(raw)).toBe(raw);
      expect(redactor.text(redactor.text(raw))).toBe(raw);
    }),
    { numRuns: 500 },
  );
});

test('a name that holds the value of another secret is left alone', () => {
  const redactor = createRedactor({ ASSAY_SECRET_A: 'TRADE_KEY', [NAME]: 'TRADE_KEY_LONG' });
  const once = redactor.text('TRADE_KEY_LONG, trade_key');
  expect(once).toBe(`$${NAME}, $ASSAY_SECRET_A`);
  expect(redactor.text(once)).toBe(once);
});

test('bytes that are no text keep all others', () => {
  const redactor = createRedactor({ [NAME]: 'sk_live-4f9A' });
  const body = bodyOf(Buffer.from([0xff, 0xfe, ...Buffer.from('sk_live-4f9A', 'utf16le'), 0xff]));
  const bytes = Buffer.from(bytesOf(redactor.body(body)));
  expect(bytes).toEqual(
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(`$${NAME}`), Buffer.from([0xff])]),
  );
});
