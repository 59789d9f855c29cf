import { expect, test } from 'vitest';
import { machineFailureOfK6 } from './machine-failure.ts';

test.each([
  ['dial: unknown errno 24 error with msg `too many open files`', /EMFILE/],
  ['dial: unknown errno 23 error with msg `too many open files in system`', /ENFILE/],
  ['dial: unknown errno 99 error with msg `cannot assign requested address`', /EADDRNOTAVAIL/],
  ['dial: unknown errno 105 error with msg `no buffer space available`', /ENOBUFS/],
  ['dial: unknown errno 12 error with msg `cannot allocate memory`', /ENOMEM/],
])('k6 reports what this machine lacks by %s', (error, words) => {
  expect(machineFailureOfK6(error)).toMatch(words);
});

test.each([
  [undefined],
  ['dial: connection refused'],
  ['request timeout'],
  // What a target sends may hold any words.
  ['malformed HTTP response "dial: too many open files"'],
])('%s is the doing of the target, or nobody knows', (error) => {
  expect(machineFailureOfK6(error)).toBeUndefined();
});
