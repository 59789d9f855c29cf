import { describe, expect, test } from 'vitest';
import { type Jump, jumpAt, type JumpNight } from './jumps.ts';

/** Nights about 20 ms; what else is said of some of them stands by its place. */
function nights(
  count: number,
  changes: Readonly<Record<number, Partial<JumpNight> & { readonly ms?: number }>> = {},
): JumpNight[] {
  return Array.from({ length: count }, (_, at) => {
    const { ms, ...rest } = changes[at] ?? {};
    const value = Math.log(ms ?? 20 + (at % 3));
    return { value, isAccepted: false, ...rest };
  });
}

const jump = (...given: Parameters<typeof nights>): Jump | undefined => jumpAt(nights(...given));

test('a tenfold night is one from the eighth night on, and not known by itself', () => {
  expect(jump(7, { 6: { ms: 200 } })).toBeUndefined();
  expect(jump(8, { 7: { ms: 200 } })).toMatchObject({ first: 7, isKnown: false });
  expect(jump(8, { 7: { ms: 200 } })?.size).toBeCloseTo(Math.log(200 / 21), 2);
});

test('it is known if the least of its rounds shows it, and on the next night that has it too', () => {
  const rounds = (ms: number): Partial<JumpNight> & { ms: number } => ({
    ms: 200,
    leastOfRounds: Math.log(ms),
  });
  expect(jump(8, { 7: rounds(190) })?.isKnown).toBe(true);
  expect(jump(8, { 7: rounds(22) })?.isKnown).toBe(false);
  expect(jump(9, { 7: { ms: 200 }, 8: { ms: 180 } })).toMatchObject({ first: 7, isKnown: true });
});

test('it stands until a night comes back', () => {
  const slow = Object.fromEntries([8, 9, 10, 11].map((at) => [at, { ms: 200 }]));
  expect(jump(12, slow)).toMatchObject({ first: 8, isKnown: true });
  expect(jump(13, slow)).toBeUndefined();
});

test('one that somebody accepted is what later nights are held against', () => {
  const level = Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [at + 8, { ms: 200 + at, isAccepted: at < 3 }]),
  );
  expect(jump(20, level)).toBeUndefined();
  expect(jump(20, { ...level, 19: { ms: 2_000 } })).toMatchObject({ first: 19 });
});

describe('beside a control', () => {
  /** A night whose ratio is higher by as much as the control is faster, and by so many times more. */
  const beside = (faster: number, times = 1): Partial<JumpNight> & { ms: number } => ({
    ms: 20 * faster * times,
    leastOfRounds: Math.log(20 * faster * times),
    control: -Math.log(faster),
  });
  const ordinary = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [at, beside(1)]));

  test('a night of a faster control than in all but two nights is not known, and never by itself', () => {
    const fast = { ...ordinary, 3: beside(2), 5: beside(2) };
    expect(jump(11, { ...fast, 10: beside(2) })).toMatchObject({ first: 10, isKnown: false });
    expect(jump(12, { ...ordinary, 10: beside(2), 11: beside(2) })?.isKnown).toBe(false);
  });

  test('three nights of a like control show what is usual for it', () => {
    const fast = { ...ordinary, 3: beside(2), 5: beside(2), 8: beside(2) };
    expect(jump(11, { ...fast, 10: beside(2) })).toBeUndefined();
    expect(jump(11, { ...fast, 10: beside(2, 1.4) })?.isKnown).toBe(true);
    expect(jump(11, { ...fast, 10: beside(2, 1.4) })?.size).toBeCloseTo(Math.log(1.4), 5);
  });

  test('one that is known stands through nights of a faster control', () => {
    const slow = { ...ordinary, 10: beside(1, 2), 11: beside(2, 2) };
    expect(jump(12, slow)).toMatchObject({ first: 10, isKnown: true });
    expect(jump(13, { ...slow, 12: beside(1, 1.6) })).toMatchObject({ first: 10, isKnown: true });
    expect(jump(13, { ...slow, 12: beside(1) })).toBeUndefined();
  });
});

test('one is reported after a lasting fall, as above all that ever was', () => {
  const faster = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [15 + at, { ms: 10 }]));
  const slow = { ...faster, 23: { ms: 200 }, 24: { ms: 200 } };
  expect(jump(24, slow)).toMatchObject({ first: 23, isKnown: false });
  expect(jump(25, slow)).toMatchObject({ first: 23, isKnown: true });
});

test('a further one is reported on the first night after those that were accepted', () => {
  const twice = { ms: 40, isAccepted: true };
  const steps = { 12: twice, 13: twice, 14: { ms: 400 }, 15: { ms: 400 } };
  expect(jump(15, steps)).toMatchObject({ first: 14, isKnown: false });
  expect(jump(16, steps)).toMatchObject({ first: 14, isKnown: true });
  expect(jump(17, { 12: twice, 13: twice, 14: { ms: 42 }, 15: { ms: 41 } })).toBeUndefined();
  // A night that came and went before is none of what was accepted.
  const spike = {
    ...steps,
    ...Object.fromEntries([8, 9, 10, 11].map((at) => [at, { isAccepted: true }])),
  };
  expect(jump(16, { ...spike, 8: { ms: 200, isAccepted: true } })).toMatchObject({ first: 14 });
});

test('one that is known stands through nights below what would be one, as long as they are nearer to it', () => {
  const known = { 8: { ms: 30 }, 9: { ms: 31 } };
  expect(jump(11, { ...known, 10: { ms: 27 } })).toMatchObject({ first: 8, isKnown: true });
  expect(jump(11, { ...known, 10: { ms: 23 } })).toBeUndefined();
  expect(jump(10, { 8: { ms: 30 }, 9: { ms: 26 } })).toBeUndefined();
});

test.each<[string, Parameters<typeof nights>]>([
  ['a night that is slower by a quarter', [20, { 19: { ms: 26 } }]],
  [
    'a night that is within what the series spreads',
    [
      20,
      {
        ...Object.fromEntries([1, 3, 5, 7, 9, 11, 13, 15].map((at) => [at, { ms: 40 }])),
        19: { ms: 50 },
      },
    ],
  ],
  ['a fast night', [20, { 19: { ms: 2 } }]],
])('%s is none', (_what, given) => {
  expect(jump(...given)).toBeUndefined();
});
