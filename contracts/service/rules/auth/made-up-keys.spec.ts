import { describe, expect, test } from 'vitest';
import type { MadeUpKey } from './made-up-keys.ts';
import type { WireSketch } from '../../../judging/verdicts.testkit.ts';
import { verdictOf } from '../../../judging/verdicts.testkit.ts';

const BUILD = { api: 'trade', method: 'POST', path: '/v1/buildTx' } as const;

describe('keys that nobody issued', () => {
  const used = (role: MadeUpKey, status: number): WireSketch => ({
    ...BUILD,
    status,
    relations: [{ kind: 'made-up-key', group: 'trade', role }],
  });
  const verdict = (...uses: readonly [MadeUpKey, number][]): string =>
    verdictOf('trade.auth.made-up-keys-alike', ...uses.map(([role, status]) => used(role, status)));

  test('are refused alike, or served alike', () => {
    expect(verdict(['none', 200], ['plain', 401], ['hex', 403], ['extended', 401])).toBe('pass');
    expect(verdict(['none', 200], ['plain', 200], ['hex', 200])).toBe('pass');
    expect(verdict(['none', 200], ['plain', 401], ['short', 400], ['uuid', 401])).toBe('pass');
  });

  test('are distinguished if one is served again and again, and another refused', () => {
    const plain: [MadeUpKey, number] = ['plain', 401];
    const cut: [MadeUpKey, number] = ['shortened', 200];
    expect(verdict(['none', 200], plain, cut, plain, cut)).toBe('warn /');
    expect(verdict(['none', 200], plain, cut, cut)).toBe('not-reached');
    expect(verdict(['none', 200], plain, plain, cut)).toBe('not-reached');
  });

  test('say nothing if answers change, or the request is refused without a key', () => {
    const plain: [MadeUpKey, number] = ['plain', 401];
    expect(verdict(['none', 200], plain, plain, ['hex', 200], ['hex', 401])).toBe('not-reached');
    expect(verdict(['none', 401], plain, plain, ['hex', 200], ['hex', 200])).toBe('not-reached');
    expect(verdict(plain, plain, ['hex', 401])).toBe('not-reached');
    expect(verdict(['none', 200], plain)).toBe('not-reached');
    expect(verdict(['none', 200], plain, ['hex', 500], ['uuid', 429])).toBe('not-reached');
  });
});

describe('the limit that is announced to an unknown key', () => {
  const reported = (role: string, q: number | undefined, status = 200): WireSketch => ({
    ...BUILD,
    status,
    headers: q === undefined ? {} : { 'X-RateLimit-Limit': String(q) },
    relations: [{ kind: 'unknown-key', group: 'trade', role }],
  });
  const verdict = (a: number | undefined, b: number | undefined, a2 = a, status = 200): string =>
    verdictOf(
      'trade.auth.unknown-key-raises-no-limit',
      reported('A', a),
      reported('B', b, status),
      reported('A2', a2),
    );

  test('is that of no key, or lower', () => {
    expect(verdict(300, 300)).toBe('pass');
    expect(verdict(300, 10)).toBe('pass');
    expect(verdict(300, 1200)).toBe('warn /');
  });

  test('is none if the key is refused', () => {
    expect(verdict(300, 1200, 300, 401)).toBe('pass');
    expect(verdict(undefined, undefined, undefined, 403)).toBe('pass');
    expect(verdict(300, 1200, 300, 400)).toBe('not-reached');
  });

  test('says nothing if it is not reported, or changes by itself', () => {
    expect(verdict(undefined, 1200)).toBe('not-reached');
    expect(verdict(300, 1200, 900)).toBe('not-reached');
    expect(verdict(300, undefined)).toBe('not-reached');
  });
});
