import { expect, test } from 'vitest';
import { namedOfUnnamed } from './library-found.testkit.ts';

/** One in thirty behaves by chance as a single class does, for as long as it is asked. */
const SEEDS = [1, 2, 3];

test('of limiters that are no single class hardly one is named as one', async () => {
  const named = await namedOfUnnamed(SEEDS);
  expect(named.length, named.join('; ')).toBeLessThanOrEqual(2);
}, 1_200_000);
