import { expect, test } from 'vitest';
import { credentialIn, mayHide } from './agent-auth-fields.ts';

test.each([
  ['UNAUTHORIZED', false],
  ['RATE_LIMITED', false],
  ['PENDING_REVIEW', false],
  ['anonymous', false],
  ['api_key', false],
  ['We will look at it.', false],
  ['00000001', false],
  ['10000000000000000000', false],
  ['short', false],
  ['WDJB-MJHT', true],
  ['WDJBMJHT', true],
  ['clm_8fj2kd93ls0', true],
  ['2b1c3d6e-0d0b-4f2c-8a51-0c4c3f7c9f10', true],
  ['eyJhbGciOiJIUzI1NiJ9.e30.abc', true],
])('%s may be hidden: %s', (text, expected) => {
  expect(mayHide(text)).toBe(expected);
});

test('a word in the place of a credential is none', () => {
  expect(credentialIn({ token: 'PENDING_APPROVAL' })).toBeUndefined();
  expect(credentialIn({ token: 'ask_4fj29dk30fk2' })).toBe('ask_4fj29dk30fk2');
});
