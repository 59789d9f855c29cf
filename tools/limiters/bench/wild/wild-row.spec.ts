import { expect, test } from 'vitest';
import type { LimitRow } from '../../../../contracts/run/run.ts';
import type { Grade } from '../../../../load/probe/grade/grade.ts';
import type { LimiterTruth } from '../../../../fixtures/known-limiters/truth.ts';
import { judged, type WildRow } from './wild-row.ts';
import { wildHolds, wildRowText, wildSummary } from './wild-table.ts';

const base = { api: 'zap', scope: 'per client address', requests: 24, seconds: 10 } as const;
const found = (
  verdict: LimitRow['verdict'],
  algorithms: readonly string[],
  values: Partial<LimitRow>,
): LimitRow => ({ ...base, verdict, algorithms, ...values });

const windowed: LimiterTruth = { class: 'fixed-window', limit: 7, seconds: 4 };
const bucket: LimiterTruth = { class: 'token-bucket', limit: 7, perSecond: 2, seconds: 3.5 };
const block: LimiterTruth = { class: 'penalty-block', limit: 7, countedSeconds: 2, seconds: 4 };
const two: LimiterTruth = {
  class: 'stacked',
  limit: 7,
  seconds: 60,
  parts: [bucket, { class: 'sliding-log', limit: 40, seconds: 60 }],
};
const outer = { algorithm: 'sliding-log', limit: 40, windowSeconds: 60 };
const stackOf = (inner: typeof outer): LimitRow =>
  ({ ...base, verdict: 'stacked', algorithms: [], stacked: [inner, outer] }) as unknown as LimitRow;
const grid = { limit: 7, windowSeconds: 4 };

test.each<[Grade, readonly [LimiterTruth, ...LimiterTruth[]], LimitRow]>([
  ['right', [windowed], found('identified', ['fixed-window'], grid)],
  ['WRONG', [windowed], found('identified', ['clock-window'], grid)],
  [
    'right',
    [windowed, { ...windowed, class: 'clock-window' }],
    found('identified', ['clock-window'], grid),
  ],
  ['WRONG', [windowed], found('identified', ['fixed-window'], { limit: 7, windowSeconds: 4.4 })],
  ['right', [bucket], found('identified', ['token-bucket'], { burst: 7, refillPerSecond: 2.1 })],
  ['WRONG', [bucket], found('identified', ['token-bucket'], { burst: 7, refillPerSecond: 2.4 })],
  [
    'right',
    [block],
    found('identified', ['penalty-block'], {
      limit: 7,
      intervals: { windowSeconds: [0.1, 900], penaltySeconds: [3.9, 4.1] },
    }),
  ],
  [
    'WRONG',
    [block],
    found('identified', ['penalty-block'], {
      limit: 7,
      intervals: { windowSeconds: [0.1, 900], penaltySeconds: [8, 8.1] },
    }),
  ],
  ['ambiguous', [windowed], found('ambiguous', ['sliding-log', 'fixed-window'], { limit: 7 })],
  [
    'missed',
    [windowed],
    found('ambiguous', ['fixed-window'], { limit: 7, intervals: { windowSeconds: [9, 11] } }),
  ],
  ['missed', [windowed], found('ambiguous', ['sliding-log'], { limit: 7 })],
  ['missed', [windowed], found('unlimited-within-budget', [], {})],
  [
    'right',
    [{ ...bucket, class: 'shaping-with-reject' }],
    found('shaped', [], { refillPerSecond: 2 }),
  ],
  ['right', [two], stackOf({ algorithm: 'token-bucket', limit: 7, windowSeconds: 3.4 })],
  ['WRONG', [two], stackOf({ algorithm: 'token-bucket', limit: 7, windowSeconds: 4.2 })],
  ['WRONG', [two], stackOf({ algorithm: 'fixed-window', limit: 7, windowSeconds: 3.5 })],
  [
    'right as far as tried',
    [two],
    found('identified', ['token-bucket'], {
      ...{ burst: 7, refillPerSecond: 2 },
      envelope: [{ seconds: 14, requests: 30 }],
    }),
  ],
  [
    'WRONG',
    [two],
    found('identified', ['token-bucket'], {
      ...{ burst: 7, refillPerSecond: 2 },
      envelope: [{ seconds: 14, requests: 41 }],
    }),
  ],
  ['right', [{ ...windowed, class: 'none' }], found('composite', [], {})],
  ['WRONG', [{ ...windowed, class: 'none' }], found('identified', ['fixed-window'], grid)],
])('%s: %j found as %j', (grade, truths, row) => {
  expect(judged({ truths }, row)).toMatchObject({ grade, requestsOverBound: 3 });
});

test('one that is wrong is printed with the truth, and nothing holds with it', () => {
  const limiter: WildRow['limiter'] = {
    family: 'go',
    name: 'a library',
    parameters: '7 in 4 s',
    truths: [windowed],
    command: () => ({ program: '', args: [] }),
  };
  const row: WildRow = {
    ...{ limiter, load: 1, notices: [] },
    ...judged(limiter, found('identified', ['clock-window'], { ...grid, confidence: 0.999 })),
  };
  expect(wildRowText(row)).toMatch(/WRONG.*clock-window.*99\.9 % sure\n.*fixed-window N=7 W=4s/);
  expect(wildHolds([row], false)).toBe(false);
  const left: WildRow = { ...row, grade: 'left out', found: 'there is no go' };
  expect(wildRowText(left)).toMatch(/left out .*there is no go$/);
  expect([wildHolds([left], false), wildHolds([left], true)]).toEqual([true, false]);
  expect(wildSummary([row, left])[0]).toBe(
    '2 real limiters: 1 WRONG, 1 left out (goal: none WRONG)',
  );
});
