import { expect, test } from 'vitest';
import type { ClassEstimate, LimitEstimate } from '../../limits/index.ts';
import { whyOf } from './why.ts';

function found(
  kind: LimitEstimate['kind'],
  more: Partial<LimitEstimate>,
  stopped: Parameters<typeof whyOf>[0]['stopped'] = kind === 'composite'
    ? 'composite'
    : 'no-progress',
): Parameters<typeof whyOf>[0] {
  const nothing = { classes: [], confidence: 0, mismatches: [], admittedInARow: 3 };
  return { estimate: { ...nothing, kind, ...more }, stopped };
}

const known = (value: number): ClassEstimate['limit'] => ({ value, lo: value, hi: value });
const WINDOW: ClassEstimate = {
  ...{ class: 'fixed-window', probability: 0.61 },
  ...{ limit: known(20), windowSeconds: { value: 10, lo: 9, hi: 11.4567 } },
};
const BLOCK: ClassEstimate = {
  ...{ class: 'penalty', probability: 0.39 },
  ...{ limit: { value: 20, lo: 20, hi: Infinity } },
};
const MISMATCHES = [
  { class: 'token-bucket', afterEvents: 40 },
  { class: 'penalty', afterEvents: 61 },
  { class: 'fixed-window', afterEvents: 33 },
] as const;
const ENDED = 'nothing more that was sent showed more';

test.each<[string, Parameters<typeof whyOf>[0], string | undefined]>([
  [
    'all classes are ruled out',
    found('composite', { open: { kind: 'none-left' }, mismatches: MISMATCHES }),
    'no single class of limiter admits and rejects as this one did; the last was penalty-block, until answer 61',
  ],
  [
    'what is left takes coincidences',
    found('composite', { open: { kind: 'by-accident', class: 'fixed-window' } }),
    'fixed-window explains it only if windows ended within short bursts again and again',
  ],
  [
    'what is left does not explain an answer',
    found('composite', { open: { kind: 'unexplained', class: 'penalty', answer: 9 } }),
    'penalty-block is the only class left, and does not explain answer 9',
  ],
  [
    'others explain it alike',
    found('ambiguous', { open: { kind: 'rivals' }, classes: [WINDOW, BLOCK] }, 'identified'),
    'fixed-window and penalty-block explain alike all that was seen',
  ],
  [
    'several are left when the budget ended',
    found('ambiguous', { open: { kind: 'several' }, classes: [WINDOW, BLOCK] }, 'max-rejects'),
    'what was seen fits fixed-window (61 %) and penalty-block (39 %); the rejections of the budget were used up',
  ],
  [
    'a time is open',
    found('ambiguous', { open: { kind: 'imprecise' }, classes: [WINDOW] }),
    `fixed-window fits, and its time (9 to 11.5 s) is not known closely enough; ${ENDED}`,
  ],
  [
    'a limit is open',
    found('ambiguous', { open: { kind: 'imprecise' }, classes: [BLOCK] }),
    `penalty-block fits, and its limit (20 or more) is not known closely enough; ${ENDED}`,
  ],
  [
    'it was not seen to do what is its own',
    found('ambiguous', { open: { kind: 'unproven' }, classes: [WINDOW] }),
    `fixed-window fits, and was not seen often enough to do what no other class does; ${ENDED}`,
  ],
  ['it is identified', found('identified', { classes: [WINDOW] }), undefined],
  ['it is two limits', found('stacked', { open: { kind: 'none-left' } }), undefined],
])('why: %s', (_, result, why) => {
  expect(whyOf(result)).toBe(why);
});
