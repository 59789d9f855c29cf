import { expect, test } from 'vitest';
import { percentEncoded } from './percent-encoded.ts';

test.each([
  ['a b/c', 'a%20b%2Fc'],
  ['\u{1F600}', '%F0%9F%98%80'],
  // A service may give such a text in JSON, though no address can hold it.
  ['x\uD83D', 'x%EF%BF%BD'],
  ['\uDE00x', '%EF%BF%BDx'],
])('writes %j in an address', (text, expected) => {
  expect(percentEncoded(text)).toBe(expected);
});
