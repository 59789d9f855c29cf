import { describe, expect, test } from 'vitest';
import type { WireSketch } from '../../../judging/verdicts.testkit.ts';
import { verdictOf } from '../../../judging/verdicts.testkit.ts';

const ERROR = { status: 404, code: 'NOT_FOUND', message: 'there is none', requestId: 'req_1' };
const refused = (change: Record<string, unknown> = {}, sketch: WireSketch = {}): WireSketch => ({
  status: 404,
  answered: { ...ERROR, ...change },
  ...sketch,
});

describe('errors are typed', () => {
  const rule = 'zap.errors.typed-body';

  test.each([
    [{}, 'pass'],
    [{ status: 'error', retryAfter: 3, details: [] }, 'pass'],
    [{ status: null }, 'fail /status'],
    [{ code: 404 }, 'fail /code'],
    [{ message: undefined, requestId: undefined }, 'fail /message /requestId'],
    [{ retryAfter: '3' }, 'fail /retryAfter'],
  ])('%j', (change, verdict) => {
    expect(verdictOf(rule, refused(change))).toBe(verdict);
  });

  test('whatever the route, but not on HEAD, and no text', () => {
    expect(verdictOf(rule, refused({}, { path: '/nowhere', text: 'Not Found' }))).toBe('fail /');
    expect(verdictOf(rule, refused({}, { method: 'HEAD', text: '' }))).toBe('not-reached');
    expect(verdictOf(rule, { status: 500, answered: ['error'] })).toBe('fail /');
  });
});

describe('what follows for errors', () => {
  test.each([
    ['texts-not-empty', { code: ' ' }, 'warn /code'],
    ['texts-not-empty', { code: 4, message: undefined }, 'pass'],
    ['status-is-http-status', {}, 'pass'],
    ['status-is-http-status', { status: 400 }, 'warn /status'],
    ['status-is-http-status', { status: 4001 }, 'not-reached'],
    ['status-is-http-status', { status: 200 }, 'not-reached'],
    ['no-success', {}, 'pass'],
    ['no-success', { status: 'error' }, 'pass'],
    ['no-success', { status: 'success' }, 'fail /status'],
    ['no-success', { status: ' OK' }, 'fail /status'],
    ['no-success', { status: 200 }, 'fail /status'],
    ['no-success', { status: '201' }, 'fail /status'],
    ['no-success', { status: 2001 }, 'pass'],
    ['no-success', { status: 299 }, 'pass'],
    ['no-success', { status: 'unsuccessful' }, 'pass'],
    ['no-success', { status: undefined }, 'not-reached'],
    ['code-is-no-sentence', { code: 'NOT_FOUND' }, 'pass'],
    ['code-is-no-sentence', { code: '40401' }, 'pass'],
    ['code-is-no-sentence', { code: 'pool:not-found/chain' }, 'pass'],
    ['code-is-no-sentence', { code: 'Method Not Allowed' }, 'pass'],
    ['code-is-no-sentence', { code: 'not found' }, 'pass'],
    ['code-is-no-sentence', { code: 'there is none' }, 'warn /code'],
    ['code-is-no-sentence', { code: 'not here', message: 'not here' }, 'warn /code'],
    ['code-is-no-sentence', { code: 'Pool not known.' }, 'warn /code'],
    ['code-is-no-sentence', { code: ' ' }, 'not-reached'],
    ['status-is-http-status', { status: 'error' }, 'not-reached'],
    ['no-internals', { message: 'no token at 0x12, line 3:4' }, 'pass'],
    ['no-internals', { message: 'x\n    at run (/srv/a.js:1:2)' }, 'warn /'],
    ['no-internals', { trace: 'Traceback (most recent call last)' }, 'warn /'],
    ['no-internals', { message: 'at a.b.C(C.java:12)' }, 'warn /'],
    ['no-internals', { message: 'goroutine 12 [running]' }, 'warn /'],
    ['no-internals', { message: "thread 'main' panicked at src/a.rs" }, 'warn /'],
    ['no-internals', { message: 'SQLSTATE[42S02]' }, 'warn /'],
    ['no-internals', { message: 'ER_NO_SUCH_TABLE: a' }, 'warn /'],
    ['no-internals', { message: 'SequelizeDatabaseError' }, 'warn /'],
    ['no-internals', { message: 'PrismaClientKnownRequestError' }, 'warn /'],
  ])('%s of %j', (rule, change, verdict) => {
    expect(verdictOf(`zap.errors.${rule}`, refused(change))).toBe(verdict);
  });

  test('a code that holds a value of the request is another for each', () => {
    const account = `0x4${'0'.repeat(39)}`;
    const rule = 'zap.errors.code-is-no-sentence';
    const verdictFor = (code: string, sent: object): string =>
      verdictOf(rule, refused({ code }, { method: 'POST', path: '/v1/quote', sent }));
    expect(verdictFor(`BAD_${account}`, { account })).toBe('warn /code');
    expect(verdictFor(`BAD_${account}`, { data: [{ recipient: account }] })).toBe('warn /code');
    expect(verdictFor('BAD_100', { amount: '100' })).toBe('pass');
    expect(verdictFor('NO_ROUTE_BY_longbridge-v2', { data: [{ protocol: 'longbridge-v2' }] })).toBe(
      'pass',
    );
  });

  test('a status that all errors may have shows nothing of this one', () => {
    const usual = refused({ status: 400 }, { status: 400 });
    expect(verdictOf('zap.errors.status-is-http-status', usual)).toBe('not-reached');
  });

  const wrong = (defect: string, status: number): string =>
    verdictOf('zap.errors.client-error', ...asked(defect, status, status));
  const asked = (defect: string, ...statuses: readonly number[]): WireSketch[] =>
    statuses.map((status) => ({ status, purpose: { kind: 'invalid', defect } }));

  test.each([
    ['malformed JSON', 400, 'pass'],
    ['malformed JSON', 500, 'warn /'],
    ['malformed JSON', 502, 'warn /'],
    ['malformed JSON', 503, 'not-reached'],
    ['wrong method', 501, 'pass'],
    ['oversized body', 501, 'warn /'],
    ['unknown route', 302, 'not-reached'],
    ['missing srcToken', 500, 'not-reached'],
  ])('%s answered with %i', (defect, status, verdict) => {
    expect(wrong(defect, status)).toBe(verdict);
  });

  test('an error of the service that is gone the next time says nothing of the request', () => {
    const rule = 'zap.errors.client-error';
    expect(verdictOf(rule, ...asked('malformed JSON', 500, 400))).toBe('pass');
    expect(verdictOf(rule, ...asked('malformed JSON', 500))).toBe('inconclusive');
    expect(verdictOf(rule, ...asked('malformed JSON', 500, 502, 500))).toBe('warn /');
  });
});

describe('request ids differ', () => {
  const rule = 'trade.errors.request-ids-differ';
  const asked = (requestId: unknown, sketch: WireSketch = {}): WireSketch =>
    refused({ requestId }, { api: 'trade', method: 'POST', path: '/v1/quotes', ...sketch });
  const keyed = { asked: [['Idempotency-Key', 'a']] } as const;

  test('between requests, but not if an answer is given again', () => {
    expect(verdictOf(rule, asked('a'), asked('b'))).toBe('pass');
    expect(verdictOf(rule, asked('a'), asked('b'), asked('a'))).toBe('warn /requestId');
    expect(verdictOf(rule, asked('a', keyed), asked('b'), asked('a', keyed))).toBe('pass');
    expect(verdictOf(rule, asked('a'), asked('b'), asked('a', keyed))).toBe('warn /requestId');
    const page = { method: 'GET', path: '/v1/none' };
    expect(verdictOf(rule, asked('a', page), asked('b'), asked('a', page))).toBe('pass');
    const other = { method: 'GET', path: '/v1/other' };
    expect(verdictOf(rule, asked('a', page), asked('a', other))).toBe('warn /requestId');
  });

  test('what is no id says nothing', () => {
    expect(verdictOf(rule, asked(''), asked(''), asked(7))).toBe('not-reached');
    expect(verdictOf(rule, asked('a'))).toBe('not-reached');
  });
});

describe('the same wrong request has the same code', () => {
  const rule = 'zap.errors.stable-code';
  const asked = (code: string, sketch: WireSketch = {}): WireSketch => ({
    ...refused({ code }, { method: 'POST', path: '/v1/quote', sent: { a: 1 }, ...sketch }),
    purpose: { kind: 'invalid', defect: 'malformed JSON' },
  });

  test('each time', () => {
    expect(verdictOf(rule, asked('A'), asked('A'))).toBe('pass');
    expect(verdictOf(rule, asked('A'), asked('B'))).toBe('fail /code');
  });

  test('a code that valid requests get as well is of a second trouble', () => {
    const valid = { ...asked('RATE_CHANGED'), purpose: { kind: 'valid' } } as const;
    expect(verdictOf(rule, asked('RATE_CHANGED'), asked('A'))).toBe('fail /code');
    expect(verdictOf(rule, valid, asked('RATE_CHANGED'), asked('A'))).toBe('not-reached');
    expect(verdictOf(rule, valid, asked('RATE_CHANGED'), asked('A'), asked('B'))).toBe(
      'fail /code',
    );
  });

  test('what the moment, the credential or one of several defects decides may differ', () => {
    const later = { status: 409 };
    expect(verdictOf(rule, asked('A'), asked('B', later))).toBe('not-reached');
    const purpose = { kind: 'invalid', defect: 'empty body' } as const;
    const empty = (code: string): WireSketch => ({ ...asked(code), purpose });
    expect(verdictOf(rule, empty('A'), empty('B'))).toBe('not-reached');
  });

  test.each<[string, unknown]>([
    ['no member', {}],
    ['null', null],
    ['a list', [{ a: 1 }]],
    ['a text', 'a'],
  ])('a body of %s lacks every field, and any of them may be reported', (_, sent) => {
    const other = { sent };
    expect(verdictOf(rule, asked('A', other), asked('B', other))).toBe('not-reached');
  });

  test('other requests, transient failures and long bodies say nothing', () => {
    expect(verdictOf(rule, asked('A'), asked('B', { sent: { a: 2 } }))).toBe('not-reached');
    expect(verdictOf(rule, asked('A'), asked('B', { status: 500 }))).toBe('not-reached');
    const key = { asked: [['Authorization', 'Bearer x']] } as const;
    expect(verdictOf(rule, asked('A'), asked('B', key))).toBe('not-reached');
    const sent = 'x'.repeat(5_000);
    expect(verdictOf(rule, asked('A', { sent }), asked('B', { sent }))).toBe('not-reached');
  });
});

describe('throttled answers', () => {
  const THROTTLED = { ...ERROR, status: 429, code: 'RATE_LIMITED', retryAfter: 2 };
  const throttled = (
    rule: string,
    change: Record<string, unknown> = {},
    sketch: WireSketch = {},
  ): string =>
    verdictOf(`zap.throttled.${rule}`, {
      status: 429,
      answered: { ...THROTTLED, ...change },
      ...sketch,
    });

  test.each([
    ['typed-body', {}, 'pass'],
    ['typed-body', { code: 'TOO_MANY' }, 'fail /code'],
    ['typed-body', { code: undefined }, 'fail /code'],
    ['typed-body', { requestId: 1 }, 'fail /requestId'],
    ['retry-after', {}, 'pass'],
    ['retry-after', { retryAfter: 0.5 }, 'pass'],
    ['retry-after', { retryAfter: 0 }, 'pass'],
    ['retry-after', { retryAfter: undefined }, 'fail /retryAfter'],
    ['retry-after', { retryAfter: '2' }, 'fail /retryAfter'],
    ['retry-after', { retryAfter: -2 }, 'fail /retryAfter'],
    ['rate-limit-headers', {}, 'fail /'],
  ])('%s of %j', (rule, change, verdict) => {
    expect(throttled(rule, change)).toBe(verdict);
  });

  test.each(['RateLimit', 'X-RateLimit-Reset', 'x-rate-limit-remaining', 'X-Zap-Ratelimit'])(
    'headers by the name of %s',
    (name) => {
      expect(throttled('rate-limit-headers', {}, { headers: { [name]: '1' } })).toBe('pass');
    },
  );

  test('are known by their code too; others, and those on HEAD, say nothing', () => {
    expect(throttled('typed-body', {}, { status: 503 })).toBe('pass');
    expect(throttled('retry-after', { code: 'BUSY' }, { status: 503 })).toBe('not-reached');
    expect(throttled('retry-after', {}, { method: 'HEAD', text: '' })).toBe('not-reached');
  });
});
