import { describe, expect, test } from 'vitest';
import { jumpAt, type JumpNight } from './jumps.ts';
import { type Draws, drawsOf } from './nights.testkit.ts';
import { walkNights } from './shifts.ts';
import { FALSE_ALARMS, thresholdFor } from './thresholds.ts';

/** Histories of each kind of noise, and of each step. */
const SERIES = 200;
const STEPS = 400;
const NIGHTS = 60;
const SPREAD = 0.08;
const threshold = thresholdFor(FALSE_ALARMS, 1);

/** Deviations of so many nights, each like the one before by so much. */
function correlated({ normal }: Draws, by: number, nights: number): number[] {
  let last = normal();
  return Array.from({ length: nights }, () => {
    const one = last;
    last = by * last + Math.sqrt(1 - by ** 2) * normal();
    return SPREAD * one;
  });
}

type Noise = (draws: Draws, nights: number) => number[];

const KINDS: readonly (readonly [kind: string, noise: Noise])[] = [
  ...[0, 0.3, 0.6].map((by) => {
    const noise: Noise = (draws, nights) => correlated(draws, by, nights);
    return [`like the one before by ${by}`, noise] as const;
  }),
  [
    'faster at weekends',
    (draws, nights) =>
      correlated(draws, 0, nights).map((one, night) => (night % 7 < 5 ? one : one - 0.1)),
  ],
  [
    'ten times as slow once in fifty',
    (draws, nights) =>
      correlated(draws, 0, nights).map((one) => (draws.uniform() < 0.02 ? one + 2.3 : one)),
  ],
  [
    'of two machines, one of them slower by a fifth',
    (draws, nights) =>
      correlated(draws, 0, nights).map((one) => (draws.uniform() < 0.5 ? one : one + 0.18)),
  ],
];

/** Whether sixty nights are once said to be slower, by a lasting change or a jump that is known. */
function isAlarmed(logs: readonly number[]): boolean {
  const { shifts } = walkNights(logs, threshold);
  if (shifts.some(({ size }) => size.shift > 0)) return true;
  const nights = logs.map((value) => ({ value, isAccepted: false }));
  return nights.some((_, at) => jumpAt(nights.slice(0, at + 1))?.isKnown === true);
}

describe.each(KINDS)('nights that are %s', (kind, noise) => {
  test('raise no more alarms than they may', () => {
    const draws = drawsOf(9_000 + kind.length);
    const alarms = Array.from({ length: SERIES }, () => isAlarmed(noise(draws, NIGHTS)));
    expect(alarms.filter(Boolean).length).toBeLessThanOrEqual(FALSE_ALARMS * SERIES);
  });
});

/** Nights beside a control: how much slower target and control are, in logarithms. */
type Beside = (draws: Draws) => readonly [target: number, control: number];

const fasterControl =
  (share: number): Beside =>
  ({ normal, uniform }) => [
    SPREAD * normal(),
    0.03 * normal() - (uniform() < share ? Math.LN2 : 0),
  ];

const BESIDE: readonly (readonly [kind: string, beside: Beside])[] = [
  ...[0.1, 0.2, 0.5].map((share) => {
    const kind = `of two machines, one of them with a control twice as fast in ${share} of them`;
    return [kind, fasterControl(share)] as const;
  }),
  [
    'each of a machine of its own speed',
    ({ normal }) => {
      const speed = 0.2 * normal();
      return [speed + 0.04 * normal(), speed + 0.04 * normal()];
    },
  ],
];

describe.each(BESIDE)('nights beside a control, %s', (kind, beside) => {
  test('raise no more alarms than they may, if rounds are all alike', () => {
    const draws = drawsOf(9_200 + kind.length);
    const alarms = Array.from({ length: SERIES }, () => {
      const nights = Array.from({ length: NIGHTS / 2 }, (): JumpNight => {
        const [target, control] = beside(draws);
        const value = target - control;
        return { value, control, leastOfRounds: value - 0.02, isAccepted: false };
      });
      return nights.some((_, at) => jumpAt(nights.slice(0, at + 1))?.isKnown === true);
    });
    expect(alarms.filter(Boolean).length).toBeLessThanOrEqual(FALSE_ALARMS * SERIES);
  });
});

/** Share of series of which a step of ten percent is found within twenty nights. */
function shareFound(by: number, before = NIGHTS): number {
  const draws = drawsOf(9_100 + 10 * by);
  const found = Array.from({ length: STEPS }, () => {
    const logs = correlated(draws, by, before + 20).map((one, night) =>
      night < before ? one : one + Math.log(1.1),
    );
    return walkNights(logs, threshold).shifts.some(
      ({ toldBy, size }) => toldBy >= before && size.shift > 0,
    );
  });
  return found.filter(Boolean).length / STEPS;
}

test('a step of 10 % at a spread of 8 % is found within twenty nights, if nights are independent', () => {
  expect(shareFound(0)).toBeGreaterThanOrEqual(0.8);
});

test('the more nights are like the one before, the seldomer it is', () => {
  const [some, much] = [shareFound(0.3), shareFound(0.6)];
  expect(some).toBeGreaterThan(0.3);
  expect(much).toBeLessThan(some);
});
