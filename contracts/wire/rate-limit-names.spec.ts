import { describe, expect, test } from 'vitest';
import { limitFieldsIn, mayNameLimit } from './rate-limit-names.ts';

describe('a field may state a limit', () => {
  test.each([
    ['X-RateLimit-Limit', '10'],
    ['x-rate-limit-reset', 'soon'],
    ['RATELIMIT', '"default";r=0;t=5'],
    ['RateLimit-Policy', '"default";q=9'],
    ['X-My-RateLimit', 'exceeded'],
    ['X-Used-Weight-1m', '1200'],
    ['X-Throttle-Remaining', '0'],
    ['X-Throttle-Reset', '5'],
    ['X-RL-Left', '0'],
    ['X-Calls', '60/60'],
    ['X-Requests-Left', '0'],
    ['X-Rate', '60/min'],
    ['X-Foo', '{"max":60,"left":0}'],
    ['X-Time-Window', 'minute'],
    ['Retry-After', '5'],
  ])('%s: %s', (name, value) => {
    expect(mayNameLimit(name, value)).toBe(true);
  });
});

describe('a field states other things', () => {
  test.each([
    ['Content-Length', '42'],
    ['Date', 'Sat, 21 Nov 2026 00:00:00 GMT'],
    ['Age', '0'],
    ['Keep-Alive', 'timeout=5'],
    ['Access-Control-Expose-Headers', 'X-RateLimit-Limit, 5'],
    ['Access-Control-Max-Age', '600'],
    ['Strict-Transport-Security', 'max-age=31536000'],
    ['Reporting-Endpoints', 'a="https://a.example"'],
    ['NEL', '{"max_age": 604800}'],
    ['Alt-Svc', 'h3=":443"; ma=86400'],
    ['Server', 'nginx/1.2'],
    ['Server-Timing', 'total;dur=12'],
    ['X-XSS-Protection', '1; mode=block'],
    ['X-Response-Time', '12ms'],
    ['X-Runtime', '0.012'],
    ['X-Request-Id', '1234'],
    ['X-Cache-Hits', '0'],
    ['CF-RAY', '8a1b2c3d4e5f0000-FRA'],
    ['X-Api-Version', '1'],
    ['ETag', '"5"'],
    ['Allow', 'POST'],
    ['X-Powered-By', 'Something 5'],
    ['X-Gateway', 'edge'],
  ])('%s: %s', (name, value) => {
    expect(mayNameLimit(name, value)).toBe(false);
  });
});

test('Retry-After is distinguished', () => {
  expect(limitFieldsIn([['Retry-After', '5']])).toBe('retry-after alone');
  expect(limitFieldsIn([['Date', 'now']])).toBe('none');
  expect(
    limitFieldsIn([
      ['Retry-After', '5'],
      ['X-Used-Weight', '9'],
    ]),
  ).toBe('some');
});
