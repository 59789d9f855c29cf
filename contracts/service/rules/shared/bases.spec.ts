import { expect, test } from 'vitest';
import { baseIn, isBelow } from './bases.ts';

test.each([
  ['https://docs.example', 'docs.example', ''],
  ['https://docs.example:443/', 'docs.example', ''],
  ['HTTP://Docs.Example:8080/a/', 'docs.example:8080', '/a'],
  ['http://127.0.0.1:1', 'localhost:1', ''],
  ['http://[::1]:1', 'localhost:1', ''],
])('%s', (url, host, path) => {
  expect(baseIn(url)).toEqual({ host, path });
});

test.each(['/auth.md', 'mailto:a@b.example', 7, `http://a.example/${'a'.repeat(3_000)}`])(
  'no base: %s',
  (url) => {
    expect(baseIn(url)).toBeUndefined();
  },
);

test('what is below a base begins with its whole last step', () => {
  const base = { host: 'a.example', path: '/zap' };
  expect(isBelow({ host: 'a.example', path: '/zap/v1' }, base)).toBe(true);
  expect(isBelow({ host: 'a.example', path: '/zap' }, base)).toBe(true);
  expect(isBelow({ host: 'a.example', path: '/zapper' }, base)).toBe(false);
  expect(isBelow({ host: 'b.example', path: '/zap' }, base)).toBe(false);
});
