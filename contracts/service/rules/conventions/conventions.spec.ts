import { describe, expect, test } from 'vitest';
import { verdictOf } from '../../../judging/verdicts.testkit.ts';

describe('bodies are JSON', () => {
  const rule = 'zap.body-is-json';

  test.each([
    ['{"a":1}', 'pass'],
    [' [1]\n', 'pass'],
    ['', 'fail /'],
    ['<html>', 'fail /'],
    ['{"a":NaN}', 'fail /'],
    ['\uFEFF{}', 'fail /'],
  ])('%j', (text, verdict) => {
    expect(verdictOf(rule, { text })).toBe(verdict);
  });

  test('errors are the business of another rule', () => {
    expect(verdictOf(rule, { text: 'no', status: 500 })).toBe('not-reached');
  });
});

describe('JSON is announced as JSON', () => {
  const rule = 'trade.content-type-is-json';
  const typed = (type: string): string =>
    verdictOf(rule, { api: 'trade', path: '/v1/x', headers: { 'content-type': type } });

  test.each([
    'application/json',
    'Application/JSON; charset=utf-8',
    'application/problem+json',
    'application/linkset+json;profile="a"',
    'text/json',
  ])('%s', (type) => {
    expect(typed(type)).toBe('pass');
  });

  test.each([
    'text/plain',
    'text/html; charset=utf-8',
    'application/jsonp',
    'application/octet-stream',
  ])('not %s', (type) => {
    expect(typed(type)).toBe('warn /');
  });

  test('no type at all', () => {
    expect(verdictOf(rule, { api: 'trade', untyped: true })).toBe('warn /');
  });

  test.each(['', 'text', '"text"', '17'])('nothing is said of %j', (text) => {
    expect(verdictOf(rule, { api: 'trade', text, untyped: true })).toBe('not-reached');
  });
});

describe('keys are unique', () => {
  const rule = 'zap.json-keys-are-unique';

  test.each([
    ['{"a":{"b":1},"c":{"b":1}}', 'pass'],
    ['{"a" : 1, "b" :[{"a":2},{"a":3}]}', 'pass'],
    ['{"a":"\\":","b":"x\\":y"}', 'pass'],
    ['{"":1}', 'pass'],
    ['{"__proto__":1,"b":2}', 'pass'],
    ['{"a":1,"a":1}', 'warn /a'],
    ['{"a":[{"b":{"c":1},"b":{"c":1}}]}', 'warn /a/0/b'],
    ['{"a":1,"\\u0061":2}', 'warn /a'],
  ])('%s', (text, verdict) => {
    expect(verdictOf(rule, { text })).toBe(verdict);
  });

  test('of long bodies a sample is looked at, of the docs host each', () => {
    const text = `{"a":1,"a":1,"b":"${'x'.repeat(2_000)}"}`;
    const looked = Array.from({ length: 16 }, (_, index) =>
      verdictOf(rule, { id: `x000${10 + index}`, text }),
    );
    expect(new Set(looked)).toEqual(new Set(['warn /a', 'not-reached']));
    const path = '/.well-known/oauth-protected-resource';
    expect(verdictOf('docs.json-keys-are-unique', { api: 'docs', path, text })).toBe('warn /a');
  });
});

describe('the AI runtime is there', () => {
  const rule = 'ai.reachable';

  test.each([
    ['any answer', [{ status: 404 }], 'pass'],
    ['an answer among failures', [{ failure: 'timeout' as const }, { status: 500 }], 'pass'],
    ['no connection', [{ failure: 'connect' as const }], 'warn /'],
    ['a gateway alone', [{ status: 502 }, { status: 503 }], 'warn /'],
    ['nothing asked', [], 'not-reached'],
    ['throttling says nothing', [{ status: 429 }], 'not-reached'],
  ])('%s', (_, sketches, verdict) => {
    expect(verdictOf(rule, ...sketches.map((one) => ({ ...one, api: 'ai' as const })))).toBe(
      verdict,
    );
  });
});

describe('a status is success', () => {
  test.each([
    [{ status: 'success' }, 'pass'],
    [{ data: 1 }, 'not-reached'],
    [{ status: 'ok' }, 'fail /status'],
    [{ status: 200 }, 'fail /status'],
    [{ status: null }, 'fail /status'],
    [[1], 'not-reached'],
  ])('%j', (answered, verdict) => {
    const quotes = { api: 'trade', method: 'POST', path: '/v1/quotes', answered } as const;
    expect(verdictOf('trade.values.status', quotes)).toBe(verdict);
  });
});
