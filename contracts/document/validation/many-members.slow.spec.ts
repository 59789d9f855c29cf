import { expect, test } from 'vitest';
import { placesOfMembers } from './both-compilers.testkit.ts';

// What is refused as it is compiled, and near the bound between that and being refused at its first use.
test.each([2_500, 5_000])('a schema of %i members is held against a value', (count) => {
  expect(placesOfMembers(count)).toEqual([`/a/m${count - 1}: an integer`]);
});
