import { expect, test } from 'vitest';
import type { LimitRow } from '../../contracts/run/run.ts';
import { limitFields } from './terminal-limits.ts';

const shaped: LimitRow = {
  api: 'zap',
  scope: 'per client address',
  verdict: 'shaped',
  algorithms: [],
  burst: 7,
  refillPerSecond: 5,
  requests: 47,
  seconds: 7,
};

test.each([
  ['rejected', 'burst 7, 5 a second, up to 6 held back, the next one rejected'],
  ['not-tried', 'burst 7, 5 a second, at least 6 held back, more were not tried'],
] as const)('a queue is told with what is beyond it: %s', (beyond, words) => {
  const fields = limitFields({ ...shaped, queue: { requests: 6, beyond } });
  expect(fields).toContainEqual(['limit', words]);
});
