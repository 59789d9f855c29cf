import { describe, expect, test } from 'vitest';
import { UsageError } from './exit-code.ts';
import { collected, throttleStatuses } from './throttle-status.ts';

describe('--throttle-status', () => {
  test.each([
    [['503'], [503]],
    [['403,503'], [403, 503]],
    [
      ['403', '503, 403'],
      [403, 503],
    ],
    [undefined, []],
  ])('%o is %o', (values, expected) => {
    expect(throttleStatuses(values)).toEqual(expected);
  });

  test.each([['200'], ['302'], ['600'], ['4xx'], ['-503'], ['503.0'], ['5e2'], [''], ['403;503']])(
    '"%s" is wrong use',
    (value) => {
      expect(() => throttleStatuses([value])).toThrow(UsageError);
      expect(() => throttleStatuses([value])).toThrow(`not "${value}"`);
    },
  );

  test('too many are wrong use', () => {
    const all = Array.from({ length: 11 }, (_, at) => `${500 + at}`);
    expect(throttleStatuses([all.slice(1).join()])).toHaveLength(10);
    expect(() => throttleStatuses(all)).toThrow(UsageError);
  });

  test('may be given several times', () => {
    expect(collected('503', collected('403', undefined))).toEqual(['403', '503']);
  });
});
