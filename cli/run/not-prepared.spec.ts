import { expect, test } from 'vitest';
import type { EndedBy } from '../threads/watchdog.ts';
import { notPrepared } from './not-prepared.ts';

const contracts = [{ api: 'ai', location: 'large.yaml' }] as const;

test.each<[EndedBy, number | undefined, string]>([
  ['memory', undefined, '--max-contract-bytes above 8388608'],
  ['memory', 16_777_216, '--max-contract-bytes above 16777216'],
  ['time', undefined, 'more time with --max-seconds'],
  ['silence', undefined, 'got no further'],
])('a contract whose reading ended by %s (%s) is named, with what helps', (by, bytes, words) => {
  const { message } = notPrepared(by, { contracts, maxContractBytes: bytes });
  expect(message).toContain('large.yaml');
  expect(message).toContain(words);
  expect(message.includes('--max-seconds')).toBe(by === 'time');
});
