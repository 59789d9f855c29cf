import { expect, test } from 'vitest';
import type { ClassEstimate, Parameter } from '../../limits/index.ts';
import { bestGradeOf, type Grade, gradeOf, type Graded } from './grade.ts';
import type { LimiterTruth } from '../../../fixtures/known-limiters/truth.ts';

const exactly = (value: number): Parameter => ({ value, lo: value, hi: value });
const between = (lo: number, hi: number): Parameter => ({ value: lo, lo, hi });
const found = (kind: string, ...classes: Partial<ClassEstimate>[]): Graded => ({
  kind,
  classes: classes.map((one) => ({
    class: 'fixed-window',
    probability: 1,
    limit: exactly(40),
    ...one,
  })),
});

const windowed: LimiterTruth = { class: 'fixed-window', limit: 40, seconds: 5 };
const drop: LimiterTruth = { class: 'token-bucket', limit: 40, perSecond: 2, seconds: 20 };
const dripping: LimiterTruth = {
  class: 'interval-refill',
  limit: 40,
  refill: 1,
  intervalSeconds: 0.5,
  seconds: 20,
};
const held: LimiterTruth = {
  class: 'shaping-with-reject',
  limit: 13,
  atOnce: 7,
  perSecond: 5,
  seconds: 2.6,
};
const block: LimiterTruth = { class: 'penalty-block', limit: 40, seconds: 5, countedSeconds: 1 };
const blocked = { class: 'penalty', penaltySeconds: exactly(5) } as const;
const none: LimiterTruth = { class: 'none', limit: 40, seconds: 5 };
const both: LimiterTruth = {
  class: 'stacked',
  limit: 40,
  seconds: 5,
  parts: [{ class: 'sliding-log', limit: 9, seconds: 0.7 }, windowed],
};
const inner = { class: 'sliding-log', limit: exactly(9), windowSeconds: exactly(0.7) } as const;
const tried = (
  ...rows: readonly (readonly [requests: number, seconds: number])[]
): Partial<Graded> => ({
  envelope: rows.map(([requests, seconds]) => ({ requests, seconds })),
});
const five = { windowSeconds: exactly(5) };
const refilled = (refill: number): Partial<ClassEstimate> => ({
  class: 'interval-refill',
  refill: exactly(refill),
  intervalSeconds: exactly(0.5),
});
const bucket = { class: 'token-bucket', refillPerSecond: exactly(2.15) } as const;

test.each<[Grade, LimiterTruth, Graded]>([
  ['right', windowed, found('identified', { windowSeconds: exactly(5.2) })],
  ['WRONG', windowed, found('identified', { windowSeconds: exactly(5.3) })],
  ['WRONG', windowed, found('identified', { ...five, limit: exactly(41) })],
  ['WRONG', windowed, found('identified', { ...five, class: 'sliding-log' })],
  [
    'right',
    { ...windowed, limit: 1 },
    found('identified', { ...five, class: 'sliding-log', limit: exactly(1) }),
  ],
  ['ambiguous', windowed, found('ambiguous', bucket, five)],
  ['missed', windowed, found('ambiguous', bucket)],
  ['ambiguous', windowed, found('ambiguous', { windowSeconds: between(4, 6) })],
  ['ambiguous', windowed, found('ambiguous', { windowSeconds: between(5.02, 6) })],
  ['missed', windowed, found('ambiguous', { windowSeconds: between(5.03, 6) })],
  ['missed', windowed, found('ambiguous', { ...five, limit: between(41, 50) })],
  ['inconclusive', windowed, found('ambiguous')],
  ['missed', windowed, found('composite')],
  ['missed', windowed, found('above-budget')],
  ['WRONG', windowed, { ...found('shaped'), refillPerSecond: 8 }],
  ['missed', windowed, found('unlimited-within-budget')],
  ['inconclusive', windowed, found('inconclusive', five)],
  ['WRONG', windowed, found('stacked', five, { windowSeconds: exactly(60), limit: exactly(100) })],
  [
    'right',
    both,
    found('stacked', inner, { ...five, class: 'token-bucket', alike: ['fixed-window'] }),
  ],
  [
    'WRONG',
    both,
    found('stacked', inner, {
      ...{ windowSeconds: exactly(6), class: 'token-bucket', alike: ['fixed-window'] },
    }),
  ],
  ['right', drop, found('identified', bucket)],
  ['WRONG', drop, found('identified', { ...bucket, refillPerSecond: exactly(2.3) })],
  ['right', dripping, found('identified', bucket)],
  ['WRONG', { ...dripping, refill: 4 }, found('identified', bucket)],
  ['right', { ...dripping, refill: 4 }, found('identified', refilled(4))],
  ['WRONG', { ...dripping, refill: 4 }, found('identified', refilled(5))],
  // Both the rate and the time in which the bucket fills must be inside.
  [
    'ambiguous',
    drop,
    found('ambiguous', {
      ...bucket,
      refillPerSecond: between(1, 3),
      windowSeconds: between(19, 21),
    }),
  ],
  [
    'missed',
    drop,
    found('ambiguous', {
      ...bucket,
      refillPerSecond: between(1, 3),
      windowSeconds: between(21, 22),
    }),
  ],
  ['right', block, found('identified', { ...blocked, windowSeconds: between(0.5, Infinity) })],
  ['WRONG', block, found('identified', { ...blocked, windowSeconds: between(2, Infinity) })],
  ['right', { class: 'concurrency', limit: 40 }, found('identified', { class: 'concurrency' })],
  // Two more truths: one that no class fits, which is not among what is left.
  ['right', none, found('composite')],
  ['WRONG', none, found('identified', five)],
  ['missed', none, found('ambiguous', five)],
  ['right', held, { ...found('shaped'), refillPerSecond: 5.4 }],
  [
    'right',
    { ...held, atOnce: 12, perSecond: 50 },
    found('identified', { ...bucket, limit: exactly(13), refillPerSecond: exactly(50) }),
  ],
  ['WRONG', held, { ...found('shaped'), refillPerSecond: 6 }],
  // Held back for more than a second, which anybody sees.
  [
    'WRONG',
    held,
    found('identified', { ...bucket, limit: exactly(13), refillPerSecond: exactly(5) }),
  ],
  ['missed', held, found('composite')],
  [
    'right',
    both,
    found('stacked', five, {
      class: 'sliding-log',
      limit: exactly(9),
      windowSeconds: exactly(0.7),
    }),
  ],
  [
    'WRONG',
    both,
    found('stacked', five, { class: 'sliding-log', limit: exactly(9), windowSeconds: exactly(1) }),
  ],
  ['WRONG', both, found('identified', five)],
  ['right as far as tried', both, { ...found('identified', inner), ...tried([18, 1], [80, 6]) }],
  // It is not told how far, or further than the outer one lets anybody.
  ['WRONG', both, found('identified', inner)],
  ['WRONG', both, { ...found('identified', inner), ...tried() }],
  ['WRONG', both, { ...found('identified', inner), ...tried([18, 1], [121, 6]) }],
  ['WRONG', both, { ...found('identified', inner), ...tried([18, 1]), metOuter: true }],
  ['WRONG', both, { ...found('identified', five), ...tried([18, 1]) }],
  [
    'WRONG',
    { ...both, parts: [windowed, drop] },
    { ...found('identified', five), ...tried([53, 6]) },
  ],
  [
    'right as far as tried',
    { ...both, parts: [windowed, drop] },
    { ...found('identified', five), ...tried([52, 6]) },
  ],
  // One limit is right or not, however far it was tried.
  ['right', windowed, { ...found('identified', five), ...tried([40, 6]) }],
  ['WRONG', windowed, { ...found('identified', inner), ...tried([18, 1]) }],
  ['ambiguous', both, found('composite')],
  ['ambiguous', both, found('ambiguous', five)],
  ['missed', both, found('ambiguous', bucket)],
])('%s: %j as %j', (grade, truth, estimate) => {
  expect(gradeOf(truth, estimate, 10)).toBe(grade);
});

test('of several truths the one that is met best counts', () => {
  const estimate = found('ambiguous', five);
  expect(bestGradeOf([none, windowed], estimate, 10)).toBe('ambiguous');
  expect(bestGradeOf([none], estimate, 10)).toBe('missed');
});
