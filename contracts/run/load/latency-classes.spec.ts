import fc from 'fast-check';
import { expect, test } from 'vitest';
import { classOf, endOfClass, LATENCY_CLASSES } from './latency-classes.ts';

test('a latency lies in the class that ends at it or after it, and not in the one before', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e6, noNaN: true }), (ms) => {
      const at = classOf(ms);
      expect(endOfClass(at)).toBeGreaterThanOrEqual(ms * (1 - 1e-9));
      if (at > 0) expect(endOfClass(at - 1)).toBeLessThan(ms);
    }),
  );
  expect([classOf(Infinity), classOf(NaN)]).toEqual([LATENCY_CLASSES - 1, 0]);
});
