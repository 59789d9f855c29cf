import { expect, test, vi } from 'vitest';
import { EXAMPLE_RUN } from '../reports/example-run.testkit.ts';
import { hasColours, show } from './show.ts';

test('run.json as it is printed stays JSON, though no command to a CI system is in it', () => {
  vi.stubEnv('GITHUB_ACTIONS', 'true');
  let printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    printed += String(chunk);
    return true;
  });
  const run = { ...EXAMPLE_RUN, notices: ['##[error]owned', '\n::error::owned'] };
  show(run, 'out', 'json');
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  expect(JSON.parse(printed)).toEqual(run);
  expect(printed).not.toMatch(/##\[|^\s*::/m);
});

test.each([
  [true, {}, true],
  [true, { TERM: 'xterm-256color', NO_COLOR: '' }, true],
  [true, { TERM: 'dumb' }, false],
  [true, { NO_COLOR: '1' }, false],
  [false, { TERM: 'xterm-256color' }, false],
])('on a terminal: %s, with %j: colours %s', (isTTY, env, expected) => {
  expect(hasColours({ isTTY }, env)).toBe(expected);
});
