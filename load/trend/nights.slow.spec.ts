import { describe, expect, test } from 'vitest';
import { drawsOf, nightsOf, SHAPES, type Draws, type Shape } from './nights.testkit.ts';
import { median } from './order-statistics.ts';
import { smallestReported } from './power.ts';
import { walkNights } from './shifts.ts';
import { FALSE_ALARMS, thresholdFor } from './thresholds.ts';

const HISTORIES = 2000;
const NIGHTS = 60;
const one = thresholdFor(FALSE_ALARMS, 1);
const shapes: [string, Shape][] = Object.entries(SHAPES);

/** Share of histories without a change in which one is reported. */
function falseAlarms(history: () => number[], threshold: number): number {
  const histories = Array.from({ length: HISTORIES }, history);
  return (
    histories.filter((logs) =>
      walkNights(logs, threshold).shifts.some(({ size }) => size.shift > 0),
    ).length / HISTORIES
  );
}

/** Share of histories whose change is reported within ten nights, as a slow-down; those with an alarm before it are set apart. */
function found(
  history: (after: number) => number[],
  threshold: number,
  draw: () => number,
): number {
  let [reported, histories] = [0, 0];
  for (let count = 0; count < HISTORIES; count += 1) {
    const after = 20 + Math.floor(31 * draw());
    const { shifts } = walkNights(history(after), threshold);
    if (shifts.some(({ toldBy }) => toldBy < after)) continue;
    histories += 1;
    const [first] = shifts;
    if (first !== undefined && first.toldBy < after + 10 && first.size.shift > 0) reported += 1;
  }
  return reported / histories;
}

/** A night of five rounds on a machine of its own speed that day, each of target and control. */
function interleaved(draws: Draws, percent: number): { ratio: number; absolute: number } {
  const machine = 0.07 * draws.normal();
  const rounds = Array.from({ length: 5 }, () => ({
    target: 20 * (1 + percent / 100) * Math.exp(machine + 0.04 * draws.normal()),
    control: 5 * Math.exp(machine + 0.04 * draws.normal()),
  }));
  return {
    ratio: Math.log(median(rounds.map(({ target, control }) => target / control))),
    absolute: Math.log(median(rounds.map(({ target }) => target))),
  };
}

/** Histories of such nights, with a change after some of them. */
function interleavedNights(draws: Draws, figure: 'ratio' | 'absolute', after = NIGHTS): number[] {
  return Array.from(
    { length: NIGHTS },
    (_, night) => interleaved(draws, night < after ? 0 : 10)[figure],
  );
}

describe('five rounds interleaved with a control, on a machine that scatters by 7 %', () => {
  const draws = drawsOf(501);

  test('let a step of 10 % be found, which the absolute figure cannot show', () => {
    const foundBy = (figure: 'ratio' | 'absolute'): number =>
      found((after) => interleavedNights(draws, figure, after), one, draws.uniform);
    const [ratio, absolute] = [foundBy('ratio'), foundBy('absolute')];
    console.log(`found, ratio: ${ratio}, absolute: ${absolute}`);
    expect(ratio).toBeGreaterThanOrEqual(0.75);
    expect(absolute).toBeLessThan(ratio - 0.15);
  });

  test('raise no more alarms than they may', () => {
    const share = falseAlarms(() => interleavedNights(draws, 'ratio'), one);
    console.log(`false alarms, ratio: ${share}`);
    expect(share).toBeLessThanOrEqual(0.06);
  });
});

test('several series together raise no more alarms than one may', () => {
  const draws = drawsOf(502);
  const ten = thresholdFor(FALSE_ALARMS, 10);
  let alarms = 0;
  for (let count = 0; count < HISTORIES; count += 1) {
    const series = Array.from({ length: 10 }, () =>
      nightsOf(draws, SHAPES.normal, { nights: NIGHTS, spread: 0.08 }),
    );
    if (series.some((logs) => walkNights(logs, ten).shifts.some(({ size }) => size.shift > 0)))
      alarms += 1;
  }
  console.log(`false alarms, ten series: ${alarms / HISTORIES}`);
  expect(alarms / HISTORIES).toBeLessThanOrEqual(0.06);
});

describe('what a history is said to be able to show', () => {
  /** Histories of which it is said. */
  const SAID = 10;
  const said = (spread: number, shape: Shape, nights: number): number[] => {
    const draws = drawsOf(503);
    return Array.from(
      { length: SAID },
      () => smallestReported(nightsOf(draws, shape, { nights, spread }), one) ?? Infinity,
    );
  };

  test.each(shapes)('%s: a spread of 8 percent is said to hide a step of 10', (_, shape) => {
    const hidden = said(0.08, shape, 40).filter((percent) => percent > 10).length;
    console.log(`said to hide 10 %: ${hidden} of ${SAID}`);
    // Forty skewed nights show less of their spread than forty normal ones.
    expect(hidden).toBeGreaterThanOrEqual(shape === SHAPES.normal ? SAID - 1 : SAID - 3);
  });

  test.each(shapes)('%s: one of 3 percent is said to show it', (_, shape) => {
    const shown = said(0.03, shape, 40).filter((percent) => percent <= 30).length;
    console.log(`said to show 30 %: ${shown} of ${SAID}`);
    expect(shown).toBeGreaterThanOrEqual(SAID - 1);
  });
});

describe.each(shapes)('%s nights', (name, shape) => {
  test.each([0.03, 0.045, 0.08])(
    'raise no more alarms than they may at a spread of %f',
    (spread) => {
      const draws = drawsOf(1000 * spread + name.length);
      const share = falseAlarms(() => nightsOf(draws, shape, { nights: NIGHTS, spread }), one);
      console.log(`false alarms, ${name}, spread ${spread}: ${share}`);
      expect(share).toBeLessThanOrEqual(0.06);
    },
  );

  test('let a step of 10 % be found at a spread of 4.5 %', () => {
    const draws = drawsOf(77 + name.length);
    const share = found(
      (after) => nightsOf(draws, shape, { nights: NIGHTS, spread: 0.045, change: [after, 10] }),
      one,
      draws.uniform,
    );
    console.log(`found, ${name}: ${share}`);
    expect(share).toBeGreaterThanOrEqual(0.7);
  });
});
