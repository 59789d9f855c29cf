import { expect, test } from 'vitest';
import { verdictOf } from '../../../judging/verdicts.testkit.ts';

const WINDOW = { 'RateLimit-Policy': '"a";q=100;w=30', RateLimit: '"a";r=0;t=30' };

test.each<[unknown, Readonly<Record<string, string>>, string]>([
  [30, { 'Retry-After': '30' }, 'pass'],
  [29.6, { 'Retry-After': '30' }, 'pass'],
  [29_600, { 'Retry-After': '30' }, 'warn /retryAfter'],
  // Minutes if the field says a second: too long, but no milliseconds.
  [300_000, { 'Retry-After': '1' }, 'pass'],
  [60, { 'Retry-After': '30' }, 'pass'],
  [30_000, WINDOW, 'warn /retryAfter'],
  [30, WINDOW, 'pass'],
  [30_000, {}, 'not-reached'],
  [0, { 'Retry-After': '0' }, 'not-reached'],
  ['30000', { 'Retry-After': '30' }, 'not-reached'],
])('a retryAfter of %j beside %j: %s', (retryAfter, headers, verdict) => {
  const sketch = {
    ...{ method: 'POST', path: '/v1/quote', status: 429, headers },
    answered: { status: 429, code: 'RATE_LIMITED', message: 'm', requestId: 'r', retryAfter },
  };
  expect(verdictOf('zap.throttled.retry-after-in-seconds', sketch)).toBe(verdict);
});
