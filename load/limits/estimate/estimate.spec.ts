import { describe, expect, test } from 'vitest';
import { aloneAhead } from '../models/ahead.ts';
import type { Candidate } from '../models/index.ts';
import { fixedWindow } from '../simulated/limiters.testkit.ts';
import type { ProbeEvent } from '../transcript.ts';
import { prior, type Alternative, type Posterior } from './posterior.ts';
import { classesOf, conclude } from './estimate.ts';

const SIGNS = { '+': 'admitted', '-': 'rejected', x: 'failed' } as const;

/** Requests a second apart. */
function eventsOf(signs: string): ProbeEvent[] {
  return Array.from(signs, (sign, at) => ({
    sentMs: 1000 * at,
    receivedMs: 1000 * at + 4,
    outcome: SIGNS[sign as keyof typeof SIGNS],
  }));
}

/** Single requests to a limit of 10 in 10 s, at these times in ms. */
function asked(atMs: readonly number[]): ProbeEvent[] {
  const limiter = fixedWindow(10, 10_000);
  return atMs.map((ms) => {
    const { admitted } = limiter.decide(ms, ms);
    return { sentMs: ms - 2, receivedMs: ms + 2, outcome: admitted ? 'admitted' : 'rejected' };
  });
}
const burst = (fromMs: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => fromMs + 5 * index);
/** Used up, and back after a window. */
const ONCE = [0, ...burst(200, 10), 9990, 10_010];
/** The same, then used up late, and looked at right after its end. */
const PROVING = [...ONCE, ...burst(18_800, 10), ...burst(20_020, 7)];

/** So much likelier than by habit that nothing is left to chance. */
const MUCH_TOLD = 1e9;

function believing(
  events: readonly ProbeEvent[],
  change: Partial<Candidate> = {},
  probability = 1,
  weight = MUCH_TOLD,
): Posterior {
  const candidate: Candidate = {
    ...{ class: 'fixed-window', limit: { lo: 10, hi: 10 }, timeMs: { lo: 9_990, hi: 10_008 } },
    ...{ open: 'no', base: { lo: 0, hi: 0 }, factor: 1, ahead: aloneAhead },
    ...change,
  };
  const alternatives = [{ candidate, probability, pointMasses: [{ ms: 10_000, probability }] }];
  return { ...prior(), transcript: { events }, alternatives, weight };
}

describe('a class is identified', () => {
  test('where it is believed, known closely, and proven', () => {
    const { kind, confidence, classes } = conclude(believing(asked(PROVING)));
    expect([kind, confidence]).toEqual(['identified', 0.97]);
    expect(classes).toHaveLength(1);
  });

  test.each<[string, Posterior]>([
    ['it is not proven', believing(asked(ONCE))],
    ['its time is hardly known', believing(asked(PROVING), { timeMs: { lo: 9_000, hi: 11_000 } })],
    ['its limit is not known', believing(asked(PROVING), { limit: { lo: 9, hi: 10 } })],
    ['it is not believed enough', believing(asked(PROVING), {}, 0.9)],
    ['it explains little more than habit does', believing(asked(PROVING), {}, 1, 1e-4)],
  ])('but not where %s', (_, posterior) => {
    expect(conclude(posterior).kind).toBe('ambiguous');
  });

  test.each([
    ['another class, dropped, explains all as well', new Set(['clock-window'] as const), 2],
    ['no other does', new Set(['sliding-log'] as const), 1],
  ])('as the only one or not, where %s', (_, lost, classes) => {
    const found = conclude({ ...believing(asked(PROVING)), lost });
    expect(found.kind).toBe(classes === 1 ? 'identified' : 'ambiguous');
    expect(found.classes).toHaveLength(classes);
  });

  test('but not where it leaves part of the transcript unexplained', () => {
    const events = [...asked(PROVING), ...eventsOf('-').map(later)];
    expect(conclude(believing(events)).kind).toBe('composite');
  });
});

const later = (event: ProbeEvent): ProbeEvent => {
  return { ...event, sentMs: 60_000, receivedMs: 60_004 };
};

test('of a bucket its capacity, its rate and the time in which it fills are told', () => {
  const timeMs = { lo: 480, hi: 520 };
  const [bucket] = classesOf(
    believing([], { class: 'token-bucket', limit: { lo: 20, hi: 20 }, timeMs }),
  );
  expect(bucket?.burst).toEqual({ value: 20, lo: 20, hi: 20 });
  const rate = bucket?.refillPerSecond;
  expect([rate?.lo, rate?.hi].map((value) => value?.toFixed(3))).toEqual(['1.923', '2.083']);
  const { windowSeconds } = bucket ?? {};
  expect([windowSeconds?.lo, windowSeconds?.hi].map((value) => value?.toFixed(3))).toEqual([
    '9.600',
    '10.400',
  ]);
});

test('a bucket of one of several capacities fills in the time of each of them', () => {
  const timeMs = { lo: 100, hi: 100 };
  const [bucket] = classesOf(
    believing([], { class: 'token-bucket', limit: { lo: 2, hi: 50 }, timeMs }),
  );
  expect(bucket?.windowSeconds).toMatchObject({ lo: 0.2, hi: 5 });
  const [refilled] = classesOf(
    believing([], {
      ...{ class: 'interval-refill', limit: { lo: 8, hi: 12 }, refill: { lo: 2, hi: 4 }, timeMs },
    }),
  );
  expect(refilled?.windowSeconds?.lo).toBeCloseTo(0.2, 6);
  expect(refilled?.windowSeconds?.hi).toBeCloseTo(0.6, 6);
});

describe('where nothing is rejected', () => {
  test('a limit that is claimed is above the budget, else there is no sign of one', () => {
    const [first, ...others] = eventsOf('+++');
    if (first === undefined) throw new Error('there is a first one');
    const kindOf = (events: readonly ProbeEvent[]): string =>
      conclude({ ...prior(), transcript: { events } }).kind;
    expect(kindOf([{ ...first, report: { limit: 100 } }, ...others])).toBe('above-budget');
    expect(kindOf([{ ...first, report: { remaining: 4 } }, ...others])).toBe(
      'unlimited-within-budget',
    );
    expect(kindOf([first, ...others])).toBe('unlimited-within-budget');
  });
});

test('the longest run of admissions is ended by rejections, not by failures', () => {
  const { admittedInARow } = conclude({
    ...prior(),
    transcript: { events: eventsOf('++x+-++') },
  });
  expect(admittedInARow).toBe(3);
});

/** The window that is reported of an interval in which ten seconds stand out by far. */
function windowReported(lo: number, hi: number): number | undefined {
  const candidate: Candidate = {
    class: 'fixed-window',
    limit: { lo: 5, hi: 5 },
    timeMs: { lo, hi },
    open: 'yes',
    base: { lo: 0, hi: 0 },
    factor: 1,
    ahead: aloneAhead,
  };
  const pointMasses = [{ ms: 10_000, probability: 0.95 }];
  const [found] = classesOf({
    ...prior(),
    alternatives: [{ candidate, probability: 1, pointMasses }],
  });
  return found?.windowSeconds?.value;
}

test('a usual value is told where it lies well within what is left', () => {
  expect(windowReported(9900, 10_150)).toBe(10);
  expect(windowReported(5000, 20_000)).toBe(10);
});

test.each([
  [9999, 10_750],
  [9300, 10_001],
])(
  'what is left from %i to %i ms is told by its middle, not by a usual value at its end',
  (lo, hi) => {
    const value = 1000 * (windowReported(lo, hi) ?? 0);
    expect(value / lo).toBeLessThan(1.05);
    expect(hi / value).toBeLessThan(1.05);
  },
);

test('what is likeliest at one end of a short interval is told by the middle of all', () => {
  const alternative = (lo: number, hi: number, probability: number): Alternative => ({
    ...{ probability, pointMasses: [] },
    candidate: {
      ...{ class: 'fixed-window', open: 'yes', factor: 1, ahead: aloneAhead },
      ...{ limit: { lo: 5, hi: 5 }, timeMs: { lo, hi }, base: { lo: 0, hi: 0 } },
    },
  });
  const valueOf = (lo: number): number | undefined => {
    const alternatives = [alternative(10_700, 10_750, 0.6), alternative(lo, lo + 100, 0.4)];
    return classesOf({ ...prior(), alternatives })[0]?.windowSeconds?.value;
  };
  expect(valueOf(10_000)).toBeCloseTo(Math.sqrt(10 * 10.75), 3);
  // Where that is not known well, its middle is no better.
  expect(valueOf(5000)).toBeCloseTo(10.725, 2);
});
