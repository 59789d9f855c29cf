import { expect, test } from 'vitest';
import { TYPED_ERRORS } from './error-body.ts';

test.each([
  [{ retryAfter: 1.5 }, 1.5],
  [{ retryAfter: 'soon' }, 'soon'],
  [{ retryAfter: null }, null],
  [{}, undefined],
  [null, undefined],
  ['retryAfter', undefined],
])('the wait that the body %j announces is %j, as it stands there', (json, expected) => {
  expect(TYPED_ERRORS.waitIn(json)).toBe(expected);
});

test.each([
  [429, undefined, true],
  [429, { code: 'OTHER' }, true],
  [503, { code: 'RATE_LIMITED' }, true],
  [200, { code: 'RATE_LIMITED' }, false],
  [503, { code: 'OTHER' }, false],
])('an answer of status %i with the body %j is throttled: %j', (status, json, expected) => {
  expect(TYPED_ERRORS.isThrottled(status, json)).toBe(expected);
});

test('a code is kept as far as its beginning, and is a text', () => {
  expect(TYPED_ERRORS.codeOf({ code: 'x'.repeat(201) })).toBe(`${'x'.repeat(200)}…`);
  expect(TYPED_ERRORS.codeOf({ code: 'x'.repeat(200) })).toBe('x'.repeat(200));
  expect(TYPED_ERRORS.codeOf({ code: 429 })).toBeUndefined();
});
