import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mendedNumber, putInPlace, STAND_INS } from './stand-ins.ts';

const Url = STAND_INS.URL as typeof URL;
const Parameters = STAND_INS.URLSearchParams as typeof URLSearchParams;
const Encoder = STAND_INS.TextEncoder as typeof TextEncoder;
const bytes = STAND_INS.Buffer as Pick<typeof Buffer, 'alloc' | 'byteLength'>;

describe('stand-ins do what Node does', () => {
  test('with texts as UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect([...new Encoder().encode(text)]).toEqual([...new TextEncoder().encode(text)]);
        expect(bytes.byteLength(text)).toBe(Buffer.byteLength(text));
      }),
    );
  });

  test('with hex that ends early, or does not', () => {
    const digits = fc.string({
      unit: fc.constantFrom(...Array.from('0123456789abcdefABCDEFgx é')),
      maxLength: 30,
    });
    fc.assert(
      fc.property(digits, fc.integer({ min: 1, max: 16 }), (text, length) => {
        const [own, native] = [bytes.alloc(length), Buffer.alloc(length)];
        expect(own.write(text, 'hex')).toBe(native.write(text, 'hex'));
        expect([...own]).toEqual([...native]);
      }),
    );
  });

  test('with queries', () => {
    const pair = fc.tuple(fc.string(), fc.string());
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 4 }), (pairs) => {
        const query = new URLSearchParams(pairs).toString();
        const [own, native] = [new Parameters(query), new URLSearchParams(query)];
        expect([...own]).toEqual([...native]);
        expect([...own.keys()]).toEqual([...native.keys()]);
        for (const [name] of pairs) {
          expect(own.get(name)).toBe(native.get(name));
          expect(own.getAll(name)).toEqual(native.getAll(name));
        }
        expect(own.get('absent!')).toBeNull();
      }),
    );
    for (const query of ['limit=5&tokens=0xa,0xb', '?a=1&a=2&&b', 'a=%zz&b=100%', 'a+b=c+d']) {
      expect([...new Parameters(query)]).toEqual([...new URLSearchParams(query)]);
    }
  });

  test.each([
    'https://cdn.example/logo.png',
    'http://127.0.0.1:8080',
    'HTTPS://Cdn.Example/A?b=1#c',
    'https://user:word@a.example/x',
    'http://[::1]:80/a',
    'ipfs://bafy/1.png',
    'data:image/png;base64,AAAA',
    'urn:x:y',
  ])('with the URL %s', (text) => {
    expect(Url.canParse(text)).toBe(true);
    const [own, native] = [new Url(text), new URL(text)];
    for (const part of ['protocol', 'hostname', 'username', 'search', 'hash'] as const) {
      expect([part, own[part]]).toEqual([part, native[part]]);
    }
  });

  test.each([
    '',
    '/logo.png',
    'logo',
    'https://',
    'http://a b/',
    '//cdn.example/x',
    'http://a:99999/',
  ])('with %j, which is no absolute URL', (text) => {
    expect(URL.canParse(text)).toBe(false);
    expect(Url.canParse(text)).toBe(false);
  });
});

test('numbers of large amounts are mended if the engine takes their lowest bits', () => {
  const broken = Object.assign(
    (value: unknown) => Number(typeof value === 'bigint' ? BigInt.asIntN(64, value) : value),
    { isInteger: (value: unknown) => Number.isInteger(value) },
  ) as unknown as NumberConstructor;
  const engine: Record<string, unknown> = { Number: broken };
  putInPlace(engine);
  const mended = engine.Number as NumberConstructor;
  expect(mended).not.toBe(broken);
  expect(mended.isInteger(3)).toBe(true);
  expect(mended()).toBe(0);
  expect([mended(undefined), mended(null), mended('0x1F'), mended(' 1e3 ')]).toEqual([
    NaN,
    0,
    31,
    1000,
  ]);
  fc.assert(fc.property(fc.bigInt(), (amount) => mended(amount) === Number(amount)));
  expect(mendedNumber(Number).MAX_SAFE_INTEGER).toBe(Number.MAX_SAFE_INTEGER);
  const right: Record<string, unknown> = { Number };
  putInPlace(right);
  expect(right.Number).toBe(Number);
});

test('stand-ins take the place of nothing that is there', () => {
  const engine: Record<string, unknown> = { URL };
  putInPlace(engine);
  expect(engine.URL).toBe(URL);
  expect(engine.URLSearchParams).toBe(Parameters);
});
