import { describe, expect, test } from 'vitest';
import type { ExchangeSketch } from '../../../judging/exchange.testkit.ts';
import { foundBy } from '../../../judging/verdicts.testkit.ts';

const QUOTE = { method: 'POST', path: '/v1/quote' } as const;

function times(count: number, sketch: ExchangeSketch): ExchangeSketch[] {
  return Array<ExchangeSketch>(count).fill(sketch);
}

describe('that an endpoint is served', () => {
  const rule = 'zap.quote.served';

  test('one success of many valid requests shows', () => {
    expect(foundBy(rule, QUOTE, ...times(9, { status: 404 }), {})).toEqual(['pass']);
  });

  test('is refuted by five valid requests that fail, not by four', () => {
    expect(foundBy(rule, QUOTE, ...times(4, { status: 404 }))[0]).toBe('not-reached');
    expect(foundBy(rule, QUOTE, ...times(5, { status: 404 }))).toEqual(['fail', '']);
  });

  test('is not refuted by refusals of invalid requests or probes', () => {
    const purposes = [
      { kind: 'invalid', defect: 'x' },
      { kind: 'probe', about: 'x' },
      { kind: 'unknown' },
    ] as const;
    for (const purpose of purposes) {
      expect(foundBy(rule, QUOTE, ...times(9, { status: 400, purpose }))[0]).toBe('not-reached');
    }
  });

  test('is not refuted by throttling, redirects, a service that does not answer, or what is too large to read', () => {
    const silences: ExchangeSketch[] = [
      { status: 429 },
      { status: 302 },
      { failure: 'timeout' },
      { failure: 'connect' },
      { failure: 'closed' },
      { failure: 'too-large' },
    ];
    for (const silence of silences) {
      expect(foundBy(rule, QUOTE, ...times(9, silence))[0]).toBe('not-reached');
    }
  });

  test('is refuted by answers that do not decode', () => {
    expect(foundBy(rule, QUOTE, ...times(5, { failure: 'encoding' }))[0]).toBe('fail');
  });

  test('is refuted by outages that five different valid requests meet, not by those of one', () => {
    const out = { ...QUOTE, status: 503 };
    expect(foundBy(rule, QUOTE, ...times(9, out))[0]).toBe('not-reached');
    const different = Array.from({ length: 5 }, (_, at) => ({ ...out, sent: { amount: `${at}` } }));
    expect(foundBy(rule, QUOTE, ...different)).toEqual(['fail', '']);
    expect(foundBy('zap.chains.served', {}, ...times(9, { status: 503 }))[0]).toBe('not-reached');
    expect(foundBy('zap.chains.served', {}, { status: 503 }, { status: 500 })[0]).toBe('fail');
  });

  test('of a listing takes but one refusal to refute', () => {
    expect(foundBy('zap.chains.served', {}, { status: 500 })[0]).toBe('fail');
  });
});

// Its request is not shown, so only the absence of the endpoint is a fault.
test.each([
  [400, 'not-reached'],
  [422, 'not-reached'],
  [404, 'fail'],
  [405, 'fail'],
  [501, 'fail'],
  [200, 'pass'],
])('trade quotes answered with %i: %s', (status, verdict) => {
  const quotes = { api: 'trade', method: 'POST', path: '/v1/quotes' } as const;
  expect(foundBy('trade.quotes.served', quotes, ...times(5, { status }))[0]).toBe(verdict);
});
