import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isObject, pointerStep } from '../../wire/json.ts';
import { pointerInBody, type Window, windowsOf } from './windows.ts';

const MOST = 20;
/** Some of the bodies hold thousands of values. */
const FEW = { numRuns: 30 };

function collected(body: unknown): { readonly windows: Window[]; readonly isWhole: boolean } {
  const windows: Window[] = [];
  const all = windowsOf(body, MOST);
  for (let next = all.next(); ; next = all.next()) {
    if (next.done === true) return { windows, isWhole: next.value };
    windows.push(next.value);
  }
}

/** Scalars by their JSON pointers. */
function scalars(value: unknown, pointer = ''): (readonly [pointer: string, value: unknown])[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, at) => scalars(item, pointer + pointerStep(at)));
  }
  if (!isObject(value)) return [[pointer, value]];
  return Object.entries(value).flatMap(([key, inner]) =>
    scalars(inner, pointer + pointerStep(key)),
  );
}

function weightOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, inner) => sum + weightOf(inner), 1);
}

const { body } = fc.letrec<{ body: unknown }>((tie) => ({
  body: fc.oneof(
    { depthSize: 'medium' },
    fc.integer(),
    fc.array(tie('body'), { maxLength: 30 }),
    fc.dictionary(fc.string({ maxLength: 3 }), tie('body'), {
      maxKeys: 12,
      noNullPrototype: true,
    }),
  ),
}));

test('each value of a body stands in a window, at the place that leads back to it', () => {
  fc.assert(
    fc.property(body, (value) => {
      const { windows, isWhole } = collected(value);
      const inBody = new Map(scalars(value));
      const seen = windows.flatMap((window) =>
        scalars(window.value).map(
          ([pointer, scalar]) => [pointerInBody(pointer, window), scalar] as const,
        ),
      );
      expect(seen.filter(([place, scalar]) => inBody.get(place) !== scalar)).toEqual([]);
      if (isWhole) expect(new Set(seen.map(([place]) => place)).size).toBe(inBody.size);
    }),
    FEW,
  );
});

test('a window holds at most so many values', () => {
  fc.assert(
    fc.property(body, (value) => {
      const weights = collected(value).windows.map((window) => weightOf(window.value));
      expect(Math.max(0, ...weights)).toBeLessThanOrEqual(MOST);
    }),
    FEW,
  );
});

test('a body that is small stands in one window, uncut', () => {
  const value = { a: [1, 2, { b: 3 }] };
  expect(collected(value)).toEqual({ windows: [{ value, cuts: new Map() }], isWhole: true });
});

test('what stands under a very long key is in no window, and this is said', () => {
  const key = 'k'.repeat(10_000);
  const { windows, isWhole } = collected({
    [key]: Array.from({ length: 50 }, (_, at) => at),
    a: 1,
  });
  expect(isWhole).toBe(false);
  expect(windows.flatMap(({ value }) => scalars(value))).toEqual([['/a', 1]]);
});
