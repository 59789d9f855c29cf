import { expect, test } from 'vitest';
import { randomRow } from './random-row.ts';

test('a window of the clock that ended within the first burst is not named as another limiter', async () => {
  // Its limit is dropped among too many explanations, so that it may be missed.
  expect((await randomRow(2054)).grade).not.toBe('WRONG');
});
