import { describe, expect, test } from 'vitest';
import { parseLimit } from '../../../fixtures/service/reference/limits.ts';
import type { LimitEstimate, Parameter } from '../../limits/index.ts';
import { gradeOf, truthOf, type Grade } from './truth.ts';

type ClassEstimate = LimitEstimate['classes'][number];

const exactly = (value: number): Parameter => ({ value, lo: value, hi: value });
const between = (lo: number, hi: number): Parameter => ({ value: lo, lo, hi });

function found(kind: LimitEstimate['kind'], ...classes: Partial<ClassEstimate>[]): LimitEstimate {
  const base: ClassEstimate = { class: 'fixed-window', probability: 1, limit: exactly(10) };
  return {
    kind,
    classes: classes.map((one) => ({ ...base, ...one })),
    confidence: 1,
    mismatches: [],
    admittedInARow: 10,
  };
}

function grade(text: string, estimate: LimitEstimate): Grade {
  const limit = parseLimit(text);
  if (limit === null) throw new Error('no limit');
  return gradeOf(truthOf(limit), estimate);
}

const window = exactly(5);

describe('a fixed window of 10 in 5 s', () => {
  test.each<[Grade, LimitEstimate]>([
    ['right', found('identified', { windowSeconds: window })],
    ['right', found('identified', { windowSeconds: exactly(5.2) })],
    ['WRONG', found('identified', { windowSeconds: exactly(5.3) })],
    ['WRONG', found('identified', { windowSeconds: window, limit: exactly(11) })],
    ['WRONG', found('identified', { windowSeconds: window, class: 'sliding-log' })],
    [
      'ambiguous',
      found(
        'ambiguous',
        { windowSeconds: window, class: 'sliding-log' },
        { windowSeconds: between(4, 6) },
      ),
    ],
    ['missed', found('ambiguous', { windowSeconds: between(6, 9) })],
    ['missed', found('ambiguous', { windowSeconds: window, class: 'sliding-log' })],
    ['missed', found('unlimited-within-budget')],
    ['composite', found('composite')],
    ['WRONG', { ...found('shaped'), refillPerSecond: 2 }],
  ])('%s: %j', (expected, estimate) => {
    expect(grade('10/5', estimate)).toBe(expected);
  });
});

describe('other classes', () => {
  test.each<[Grade, string, LimitEstimate]>([
    [
      'right',
      'gcra:burst=10,refill=2/s',
      found('identified', { class: 'token-bucket', refillPerSecond: exactly(2.15) }),
    ],
    [
      'WRONG',
      'gcra:burst=10,refill=2/s',
      found('identified', { class: 'token-bucket', refillPerSecond: exactly(2.3) }),
    ],
    [
      'right',
      'penalty-block:limit=10,window=1s,block=5s',
      found('identified', {
        class: 'penalty',
        penaltySeconds: window,
        windowSeconds: between(0.5, Infinity),
      }),
    ],
    [
      'WRONG',
      'penalty-block:limit=10,window=1s,block=5s',
      found('identified', {
        class: 'penalty',
        penaltySeconds: window,
        windowSeconds: between(2, Infinity),
      }),
    ],
    [
      'WRONG',
      'interval-refill:burst=10,refill=4/5s',
      found('identified', {
        class: 'interval-refill',
        intervalSeconds: window,
        refill: exactly(5),
      }),
    ],
    ['right', 'concurrency:limit=10,hold=1s', found('identified', { class: 'concurrency' })],
    ['right', 'shaper:burst=1,rate=2/s,queue=9', { ...found('shaped'), refillPerSecond: 2.1 }],
    ['WRONG', 'shaper:burst=1,rate=2/s,queue=9', { ...found('shaped'), refillPerSecond: 3 }],
  ])('%s: %s', (expected, text, estimate) => {
    expect(grade(text, estimate)).toBe(expected);
  });

  test('a misfit is right only as composite', () => {
    const truth = { algorithm: 'composite', limit: 10, seconds: 5 };
    expect(gradeOf(truth, found('composite'))).toBe('right');
    expect(gradeOf(truth, found('identified', { windowSeconds: window }))).toBe('WRONG');
  });
});
