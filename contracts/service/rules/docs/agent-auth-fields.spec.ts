import { expect, test } from 'vitest';
import { credentialIn, mayHide, textsIn } from './agent-auth-fields.ts';

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

test('of a message with very many strings, or very deep ones, a bounded number counts', () => {
  const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`token${at}`, 'x']));
  expect(textsIn(many)).toHaveLength(64);
  let deep: unknown = { token: 'x' };
  for (let depth = 0; depth < 100_000; depth += 1) deep = { deep };
  expect(textsIn({ id: 'y', deep })).toEqual([{ name: 'id', text: 'y' }]);
  expect(textsIn({ data: { credential: { value: 'z' } } })).toEqual([{ name: 'value', text: 'z' }]);
});
