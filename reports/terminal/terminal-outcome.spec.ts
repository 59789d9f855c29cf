import { expect, test } from 'vitest';
import type { BrokenBy } from '../../contracts/run/run.ts';
import { EXAMPLE_RUN, ruleRow } from '../example-run.testkit.ts';
import { renderTerminal } from './terminal.ts';

function broken(...brokenBy: readonly BrokenBy[]): string {
  const run = {
    ...EXAMPLE_RUN,
    outcome: 'does-not-conform',
    rules: [ruleRow()],
    brokenBy,
  } as const;
  return renderTerminal(run, { color: false, width: 100 });
}

test('the first line says by what else than a rule a run does not conform', () => {
  const words = 'broken: threshold and slower, 1 of 1 rule passes';
  expect(broken('threshold', 'slower').split('\n')[0]).toBe(`✗ does not conform: ${words}`);
  expect(broken('rule').split('\n')[0]).toBe('✗ does not conform: 1 of 1 rule passes');
});
