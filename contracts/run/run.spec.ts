import { expect, test } from 'vitest';
import { countVerdicts, type RunRuleRow, VERDICTS } from './run.ts';

test('countVerdicts counts every verdict, absent ones as 0', () => {
  const rules = ['pass', 'fail', 'pass'].map((verdict) => ({ verdict }) as RunRuleRow);
  expect(countVerdicts(rules)).toEqual({
    ...Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0])),
    pass: 2,
    fail: 1,
  });
});
