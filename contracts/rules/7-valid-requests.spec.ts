import { describe, expect, test } from 'vitest';
import type { WireSketch } from './verdicts.testkit.ts';
import { verdictOf } from './verdicts.testkit.ts';

const ID = 'zap.errors.none-of-the-service';

/** Answers to valid quotes, one letter each: `s` served, `f` failed, `F` the same one failed again. */
function quotes(
  letters: string,
  code = 'INTERNAL_SERVER_ERROR',
  more: WireSketch = {},
): WireSketch[] {
  return Array.from(letters, (letter, at): WireSketch => {
    const failed = { status: 500, answered: { code } };
    const sent = { amount: letter === 'F' ? 'same' : String(at), ...(more.sent as object) };
    const asked = { method: 'POST', path: '/v1/quote', ...more, sent };
    return letter === 's' ? asked : { ...asked, ...failed };
  });
}

describe('valid requests that meet an error of the service', () => {
  test.each([
    ['fsfsf', 'warn /'],
    ['FsFsF', 'warn /'],
    ['fsfs', 'pass'],
    ['sssss', 'pass'],
    // Nothing was served while it failed: it went down, or is not there.
    ['ssfff', 'pass'],
    ['fff', 'pass'],
    // Three of very many are no habit, but the same three times is one.
    [`fsfsf${'s'.repeat(70)}`, 'pass'],
    [`FsFsF${'s'.repeat(70)}`, 'warn /'],
  ])('%s: %s', (letters, verdict) => {
    expect(verdictOf(ID, ...quotes(letters))).toBe(verdict);
  });

  test('a code that is about the request makes it a refusal, whatever its status', () => {
    for (const code of ['NO_ROUTE_FOUND', 'INSUFFICIENT_LIQUIDITY', 'VALIDATION_ERROR']) {
      expect(verdictOf(ID, ...quotes('sfsfsf', code))).toBe('pass');
    }
    expect(verdictOf(ID, ...quotes('sfsfsf', 'UNKNOWN_ERROR'))).toBe('warn /');
  });

  test('a simulation that fails says nothing of requests without one', () => {
    const path = '/v1/buildTx';
    const failed = quotes('ffff', undefined, { path, sent: { estimateGas: true } });
    expect(verdictOf(ID, ...quotes('s', undefined, { path }), ...failed, ...quotes('s'))).toBe(
      'pass',
    );
  });

  test('of requests that are not known to be valid only one without an amount counts', () => {
    const probe = (about: string): WireSketch => ({ purpose: { kind: 'probe', about } });
    expect(verdictOf(ID, ...quotes('sfsfsf', undefined, probe('permit')))).toBe('not-reached');
    expect(verdictOf(ID, ...quotes('sFsFsF', undefined, probe('amount absent')))).toBe('warn /');
  });
});
