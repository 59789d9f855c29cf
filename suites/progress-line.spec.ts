import { expect, test } from 'vitest';
import { progressLine } from './progress-line.ts';

const START = {
  stage: 'zap errors',
  ...{ requests: 7, maxRequests: 1000, seconds: 0.4, maxSeconds: 600, broken: 0 },
};

test('says how much of the budget is spent and what comes next', () => {
  expect(progressLine(START)).toBe('      7 of 1,000 requests ·   0 of 600 s · zap errors');
});

test.each([
  [1, '1 rule broken'],
  [12, '12 rules broken'],
])('says that %d are broken so far', (broken, said) => {
  expect(progressLine({ ...START, requests: 1000, seconds: 599.9, broken })).toBe(
    `  1,000 of 1,000 requests · 599 of 600 s · ${said} · zap errors`,
  );
});
