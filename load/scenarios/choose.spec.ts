import { describe, expect, test } from 'vitest';
import type { PreparedRequest } from './prepared-request.ts';
import { chooserOf } from './choose.ts';

function prepared(operation: string, count: number): PreparedRequest[] {
  return Array.from({ length: count }, (_, at) => ({
    operation,
    request: { api: 'zap', method: 'GET', path: `/${operation}/${at}`, purpose: { kind: 'valid' } },
  }));
}

const requests = [...prepared('a', 5), ...prepared('b', 3), ...prepared('c', 4)];
const mix = { a: 6, b: 3, c: 1 };
const slots = Array.from({ length: 20_000 }, (_, slot) => slot);

describe('what each slot sends', () => {
  test('is the same for a seed, in whatever order it is asked for', () => {
    const [one, other] = [chooserOf(requests, mix, 7), chooserOf(requests, mix, 7)];
    const forwards = slots.slice(0, 500).map(one);
    const backwards = slots.slice(0, 500).reverse().map(other).reverse();
    expect(forwards).toEqual(backwards);
    expect(slots.slice(0, 500).map(chooserOf(requests, mix, 8))).not.toEqual(forwards);
  });

  test('goes by the weights of operations, and evenly among the requests of one', () => {
    for (const seed of [1, 2, -3, 2 ** 31 - 1]) {
      const counts = new Map<string, number>();
      for (const { request } of slots.map(chooserOf(requests, mix, seed))) {
        counts.set(request.path, (counts.get(request.path) ?? 0) + 1);
      }
      // 12,000 over five, 6,000 over three, 2,000 over four; five standard deviations.
      const within = (path: string, expected: number): void => {
        expect(Math.abs((counts.get(path) ?? 0) - expected)).toBeLessThan(5 * Math.sqrt(expected));
      };
      for (const at of [0, 1, 2, 3, 4]) within(`/a/${at}`, 2400);
      for (const at of [0, 1, 2]) within(`/b/${at}`, 2000);
      for (const at of [0, 1, 2, 3]) within(`/c/${at}`, 500);
    }
  });

  test('does not repeat itself from slot to slot', () => {
    const choose = chooserOf(requests, { a: 1 }, 3);
    const same = slots.filter((slot) => choose(slot) === choose(slot + 1)).length;
    expect(Math.abs(same - 4000)).toBeLessThan(5 * Math.sqrt(4000));
  });

  test('leaves out operations that nothing was prepared for, and needs one at least', () => {
    const chosen = slots.slice(0, 300).map(chooserOf(prepared('b', 2), mix, 1));
    expect(new Set(chosen.map(({ operation }) => operation))).toEqual(new Set(['b']));
    expect(() => chooserOf([], mix, 1)).toThrow(/no request to send/);
  });
});
