import { expect, test } from 'vitest';
import { UsageError } from '../exit-code.ts';
import { mergeParts } from './run-load-merge.ts';

test.each([
  [{ rate: '5' }, /--rate has no meaning beside it/],
  [{ zapUrl: 'http://127.0.0.1:1' }, /--zap-url has no meaning/],
  [{ segment: '1/2' }, /--segment has no meaning/],
  [{ failOn: 'should' }, /--fail-on has no meaning/],
])('flags of what is sent mean nothing if records are merged: %o', async (flags, message) => {
  const merging = mergeParts({ merge: ['a', 'b'], ...flags });
  await expect(merging).rejects.toThrow(UsageError);
  await expect(merging).rejects.toThrow(message);
});
