import { expect, test } from 'vitest';
import { studentBound } from './student.ts';

// Tables of Student's distribution; the last column is that of Bonferroni's 0.05 by 6.
test.each([
  [3, 0.95, 3.1824],
  [4, 0.95, 2.7764],
  [4, 0.99, 4.6041],
  [8, 0.95, 2.306],
  [8, 0.999, 5.0413],
  [19, 0.95, 2.093],
  [19, 0.9, 1.7291],
  [19, 0.99, 2.8609],
  [38, 0.95, 2.0244],
  [120, 0.99, 2.6174],
])('with %d degrees of freedom and %f it is %f', (degrees, confidence, bound) => {
  expect(studentBound(degrees, confidence)).toBeCloseTo(bound, 2);
});
