import { describe, expect, test } from 'vitest';
import { fingerprintOf } from './fingerprint.ts';

const at = (pointer: string, operation = 'zap.quote', rule = 'zap.quote.served'): string =>
  fingerprintOf(rule, { pointer, operation });

describe('the fingerprint of a finding', () => {
  test('is the same wherever in lists, and under whichever chain, address or pair', () => {
    expect(at('/data/path/0/output/3/amount')).toBe(at('/data/path/17/output/0/amount'));
    expect(at('/data/1/name')).toBe(at('/data/42161/name'));
    expect(at('/data/0xAbC0/name')).toBe(at('/data/0xdef1/name'));
    // The latter are of chains whose addresses are not hexadecimal.
    const solana = 'gf53HDoL2i427caKHPATHSWbawkCTaKU1heD664Lbm7g';
    const bitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
    const all = ['1_0xAb-137_0xCd', '10_0x01-1_0x02', `1_0xAb-7_${solana}`, `9_${bitcoin}-7_0x0`];
    const pairs = all.map((pair) => at(`/quotes/${pair}/amount`));
    expect(at(`/data/${solana}/name`)).toBe(at('/data/0xdef1/name'));
    expect(new Set(pairs).size).toBe(1);
  });

  test('takes no word of the finding', () => {
    const finding = { pointer: '/a', operation: 'zap.quote' };
    const reworded = { ...finding, expected: 'other', actual: 'words', count: 9 };
    expect(fingerprintOf('r', reworded)).toBe(fingerprintOf('r', finding));
  });

  test('differs by rule, operation and place', () => {
    const all = [
      at('/data/amount'),
      at('/data/amounts'),
      at('/data/amount/0'),
      at('/data/v2/amount'),
      at('/data/0xyz'),
      at('/data/aMemberThatHasAVeryLongNameOfLetters'),
      at('/data/1_a'),
      at('/data/amount', 'zap.build'),
      at('/data/amount', 'zap.quote', 'zap.quote.shape'),
      fingerprintOf('zap.quote.served', { pointer: '/data/amount' }),
    ];
    expect(new Set(all).size).toBe(all.length);
  });

  test('has 32 hexadecimal digits, however long the pointer is', () => {
    expect(at(`/${'0'.repeat(1_000_000)}`)).toMatch(/^[0-9a-f]{32}$/);
    expect(at(`/${'1-'.repeat(400)}`)).toMatch(/^[0-9a-f]{32}$/);
  });
});
