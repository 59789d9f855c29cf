import { expect, test } from 'vitest';
import type { ClassEstimate, Parameter } from '../../../limits/index.ts';
import { gradeRandom, type Graded, type RandomGrade } from './grade.ts';
import type { RandomTruth } from '../../../real-limiters/limiter-truth.ts';

const exactly = (value: number): Parameter => ({ value, lo: value, hi: value });
const found = (kind: string, ...classes: Partial<ClassEstimate>[]): Graded => ({
  kind,
  classes: classes.map((one) => ({
    class: 'fixed-window',
    probability: 1,
    limit: exactly(40),
    ...one,
  })),
});

const windowed: RandomTruth = { class: 'fixed-window', limit: 40, seconds: 5 };
const drop: RandomTruth = { class: 'token-bucket', limit: 40, perSecond: 2, seconds: 20 };
const dripping: RandomTruth = {
  class: 'interval-refill',
  limit: 40,
  refill: 1,
  intervalSeconds: 0.5,
  seconds: 20,
};
const held: RandomTruth = { class: 'shaping-with-reject', limit: 13, perSecond: 5, seconds: 2.6 };
const both: RandomTruth = {
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
const bucket = { class: 'token-bucket', refillPerSecond: exactly(2.15) } as const;

test.each<[RandomGrade, RandomTruth, Graded]>([
  ['right', windowed, found('identified', { windowSeconds: exactly(5.2) })],
  ['WRONG', windowed, found('identified', { windowSeconds: exactly(5.3) })],
  ['right', windowed, found('identified', { ...five, limit: exactly(42) })],
  ['WRONG', windowed, found('identified', { ...five, limit: exactly(43) })],
  ['WRONG', windowed, found('identified', { ...five, class: 'sliding-log' })],
  [
    'right',
    { ...windowed, limit: 1 },
    found('identified', { ...five, class: 'sliding-log', limit: exactly(1) }),
  ],
  ['ambiguous', windowed, found('ambiguous', bucket, five)],
  ['missed', windowed, found('ambiguous', bucket)],
  ['missed', windowed, found('composite')],
  ['missed', windowed, found('unlimited-within-budget')],
  ['inconclusive', windowed, found('inconclusive', five)],
  ['WRONG', windowed, found('stacked', five, { windowSeconds: exactly(60), limit: exactly(100) })],
  ['right', drop, found('identified', bucket)],
  ['WRONG', drop, found('identified', { ...bucket, refillPerSecond: exactly(2.3) })],
  ['right', dripping, found('identified', bucket)],
  ['WRONG', { ...dripping, refill: 4 }, found('identified', bucket)],
  ['right', held, { ...found('shaped'), refillPerSecond: 5.4 }],
  [
    'right',
    held,
    found('identified', { ...bucket, limit: exactly(13), refillPerSecond: exactly(5) }),
  ],
  ['WRONG', held, { ...found('shaped'), refillPerSecond: 6 }],
  ['ambiguous', held, found('composite')],
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
  expect(gradeRandom(truth, estimate, 10)).toBe(grade);
});
