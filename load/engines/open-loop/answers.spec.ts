import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { headerListOf } from '../sending/answers.ts';

const HEAD = Buffer.from('Content-Type: text/plain\r\nX-Name: caf\xe9\r\nDate: now\r\n', 'latin1');

/** The bytes of words as they stand in a text. */
function partsOf(head: Buffer, words: readonly string[]): Buffer[] {
  return words.map((word) => {
    const at = head.indexOf(Buffer.from(word, 'latin1'));
    return head.subarray(at, at + word.length);
  });
}

const FIELDS = ['Content-Type', 'text/plain', 'X-Name', 'caf\xe9', 'Date', 'now'];
const PAIRS = [
  ['Content-Type', 'text/plain'],
  ['X-Name', 'caf\xe9'],
  ['Date', 'now'],
];

describe('header fields', () => {
  it('are read if they stand side by side', () => {
    expect(headerListOf(partsOf(HEAD, FIELDS))).toEqual(PAIRS);
  });

  it('are read if some came apart from the others', () => {
    for (let apart = 0; apart < FIELDS.length; apart += 1) {
      const parts = partsOf(HEAD, FIELDS);
      // As undici joins what came in two pieces.
      parts[apart] = Buffer.from(new Uint8Array(parts[apart] ?? []));
      expect(headerListOf(parts)).toEqual(PAIRS);
    }
  });

  it('are none if none came, and in pairs', () => {
    expect(headerListOf([])).toEqual([]);
    expect(headerListOf(partsOf(HEAD, ['Date']))).toEqual([]);
    expect(headerListOf(partsOf(HEAD, ['Date', 'now', 'X-Name']))).toEqual([['Date', 'now']]);
  });

  it('are the same wherever their bytes lie', () => {
    const bytes = fc.uint8Array({ minLength: 40, maxLength: 40 });
    const span = fc.tuple(fc.boolean(), fc.nat(40), fc.nat(12));
    const spans = fc.array(span, { maxLength: 8 }).filter(({ length }) => length % 2 === 0);
    fc.assert(
      fc.property(bytes, bytes, spans, (one, other, places) => {
        const parts = places.map(([isOne, start, length]) =>
          Buffer.from((isOne ? one : other).buffer).subarray(start, start + length),
        );
        const texts = parts.map((part) => part.toString('latin1'));
        expect(headerListOf(parts).flat()).toEqual(texts);
      }),
    );
  });
});
