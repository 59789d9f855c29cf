import { expect, test } from 'vitest';
import { WILD_FAMILIES } from '../limiters/real/wild/wild-limiter.ts';
import { readBenchFlags, WrongBenchFlags } from './bench-limits-flags.ts';

test.each([
  [[], { only: '', seed: 1, random: undefined, wild: undefined }],
  [['--random', '1000', '--seed', '7'], { random: 1000, seed: 7, wild: undefined }],
  [['--wild'], { wild: WILD_FAMILIES }],
  [['--wild', 'npm,nginx'], { wild: ['npm', 'nginx'] }],
  [['--wild', 'go', '--only', 'rate'], { wild: ['go'], only: 'rate' }],
])('%j', (args, flags) => {
  expect(readBenchFlags(args)).toMatchObject(flags);
});

test.each([
  [['--seed', 'x'], '--seed x is no whole number'],
  [['--random', '0'], '--random 0 is no number of services'],
  [['--random', '5', '--wild'], 'two runs'],
  [['--wild', 'envoy'], `envoy is none of ${WILD_FAMILIES.join(', ')}`],
  [['npm'], 'npm means nothing'],
  [['--what'], '--what'],
])('%j is wrong use', (args, reason) => {
  expect(() => readBenchFlags(args)).toThrow(WrongBenchFlags);
  expect(() => readBenchFlags(args)).toThrow(reason);
});
