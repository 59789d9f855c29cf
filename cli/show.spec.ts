import { expect, test } from 'vitest';
import { hasColours } from './show.ts';

test.each([
  [true, {}, true],
  [true, { TERM: 'xterm-256color', NO_COLOR: '' }, true],
  [true, { TERM: 'dumb' }, false],
  [true, { NO_COLOR: '1' }, false],
  [false, { TERM: 'xterm-256color' }, false],
])('on a terminal: %s, with %j: colours %s', (isTTY, env, expected) => {
  expect(hasColours({ isTTY }, env)).toBe(expected);
});
