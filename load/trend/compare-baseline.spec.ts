import { describe, expect, test } from 'vitest';
import type { LoadBaseline } from '../../contracts/run/load/load-trend.ts';
import { difference } from './comparable.ts';
import { compareWithBaseline } from './compare-baseline.ts';
import { drawsOf, type Draws } from './nights.testkit.ts';
import { quantileInterval } from './quantile-interval.ts';
import { readNight } from './read-night.ts';
import { latencyOf, loadOf, nightOf, roundsOf, runOf } from './run-of.testkit.ts';
import { answersOf, countedOf, momentsOf, servedLoad, type Seconds } from './served-run.testkit.ts';

/** A run of rounds on a machine of its own speed, its rounds off by so much. */
function inRounds(draws: Draws, target: number, machine: number, rounds = 5, noise = 0.02): Night {
  const one = (): [number, number] => [
    20 * target * machine * Math.exp(noise * draws.normal()),
    5 * machine * Math.exp(noise * draws.normal()),
  ];
  return nightOf(1, loadOf(20, { rounds: roundsOf(Array.from({ length: rounds }, one)) }));
}
type Night = ReturnType<typeof nightOf>;

/** Two runs that only the histograms distinguish. */
function ofAnswers(first: Seconds, second: Seconds): LoadBaseline {
  return compareWithBaseline(nightOf(2, servedLoad(second)), nightOf(1, servedLoad(first)));
}

const verdicts = ({ rows }: LoadBaseline): string[] => rows.map(({ verdict }) => verdict);

describe('with rounds beside a control', () => {
  test('a service slower by a fifth is slower, a slower machine is nothing', () => {
    const draws = drawsOf(1);
    const before = inRounds(draws, 1, 1);
    const slower = compareWithBaseline(inRounds(draws, 1.2, 1.5), before);
    expect(verdicts(slower)).toEqual(['slower', 'slower', 'slower']);
    const [row] = slower.rows;
    expect(row).toMatchObject({ figure: 'ratio', method: 'rounds', percentile: 'p50' });
    expect(row?.intervalPercent?.[0]).toBeGreaterThan(10);
    expect(row?.intervalPercent?.[1]).toBeLessThan(32);
    const same = compareWithBaseline(inRounds(draws, 1, 1.5), before);
    expect(verdicts(same)).toEqual(['no-difference', 'no-difference', 'no-difference']);
    expect(verdicts(compareWithBaseline(inRounds(draws, 0.8, 1), before))).toEqual([
      'faster',
      'faster',
      'faster',
    ]);
  });

  test('pairs of the same service differ in no more than 1 of 20, and what was said to be seen is', () => {
    const draws = drawsOf(2);
    let [wrong, reported] = [0, 0];
    const smallest: number[] = [];
    const pairs = 400;
    for (let count = 0; count < pairs; count += 1) {
      const before = inRounds(draws, 1, 1, 5, 0.05);
      const [row] = compareWithBaseline(inRounds(draws, 1, 1.1, 5, 0.05), before).rows;
      if (row?.verdict !== 'no-difference') wrong += 1;
      smallest.push(row?.smallestPercent ?? NaN);
    }
    const typical = smallest.toSorted((a, b) => a - b)[pairs / 2] ?? NaN;
    for (let count = 0; count < pairs; count += 1) {
      const before = inRounds(draws, 1, 1, 5, 0.05);
      const after = inRounds(draws, 1 + typical / 100, 1, 5, 0.05);
      const [row] = compareWithBaseline(after, before).rows;
      if (row?.verdict === 'slower') reported += 1;
    }
    expect(wrong / pairs).toBeLessThanOrEqual(0.05);
    expect(reported / pairs).toBeGreaterThan(0.85);
    expect(reported / pairs).toBeLessThan(0.995);
  });

  test('a control that scatters by far more than the target hides nothing', () => {
    const draws = drawsOf(4);
    const made = (ms: number): Night => {
      const one = (): [number, number] => [
        ms * Math.exp(0.01 * draws.normal()),
        1.3 * Math.exp(0.1 * draws.normal()),
      ];
      return nightOf(1, loadOf(20, { rounds: roundsOf(Array.from({ length: 5 }, one)) }));
    };
    const { rows } = compareWithBaseline(made(23.5), made(21.9));
    expect(rows[0]).toMatchObject({ verdict: 'slower', figure: 'absolute', method: 'rounds' });
    const same = compareWithBaseline(made(21.9), made(21.9));
    expect(same.rows[0]?.verdict).toBe('no-difference');
  });

  test('a run of which a round was left out is of the same scenario', () => {
    const of = (rounds: number): Night => {
      const night = inRounds(drawsOf(5), 1, 1, rounds);
      const steps = night.load.steps.map((step) => ({ ...step, seconds: 30 * rounds }));
      return { ...night, load: { ...night.load, steps } };
    };
    expect(compareWithBaseline(of(4), of(5)).refused).toEqual([]);
    const longer = of(5);
    const steps = longer.load.steps.map((step) => ({ ...step, seconds: 2 * step.seconds }));
    const other = { ...longer, load: { ...longer.load, steps } };
    expect(compareWithBaseline(of(4), other).refused).toHaveLength(1);
  });

  test('a run of which the control of a round was held up is of the same scenario', () => {
    const of = (compared: number): Night => {
      const night = inRounds(drawsOf(5), 1, 1, compared);
      const steps = night.load.steps.map((step) => ({ ...step, seconds: 150 }));
      return { ...night, load: { ...night.load, steps, countedRounds: 5 } };
    };
    expect([4, 0].map((compared) => difference(of(compared), of(5)))).toEqual([
      undefined,
      undefined,
    ]);
  });

  test('operations have rows if their rounds were kept', () => {
    const draws = drawsOf(3);
    const withParts = (night: Night): Night => ({
      ...night,
      load: {
        ...night.load,
        rounds: (night.load.rounds ?? []).map((round) => ({
          ...round,
          operations: { 'a.one': round.target },
        })),
      },
    });
    const [one, two] = [inRounds(draws, 1, 1), inRounds(draws, 1.3, 1)];
    const both = compareWithBaseline(withParts(two), withParts(one));
    expect(both.rows.map(({ operation }) => operation)).toEqual([
      undefined,
      undefined,
      undefined,
      'a.one',
      'a.one',
    ]);
    expect(compareWithBaseline(two, withParts(one)).rows).toHaveLength(3);
    expect(compareWithBaseline(withParts(two), one).rows).toHaveLength(3);
  });

  test('a control that changed alone is none of the service, one beside which it changed is', () => {
    const draws = drawsOf(5);
    // A service elsewhere: what it takes has nothing to do with the machine that sends.
    const elsewhere = (target: number, machine: number): Night =>
      inRounds(draws, target / machine, machine);
    const before = elsewhere(1, 1);
    const causes = (after: Night): unknown[] =>
      compareWithBaseline(after, before).rows.map(({ verdict, cause }) => [...[verdict, cause]]);
    const thrice = (row: unknown): unknown[] => [row, row, row];
    expect(causes(elsewhere(1, 0.7))).toEqual(thrice(['slower', 'control']));
    expect(causes(elsewhere(1, 1.4))).toEqual(thrice(['faster', 'control']));
    expect(causes(elsewhere(1.2, 0.9))).toEqual(thrice(['slower', undefined]));
    expect(causes(elsewhere(1.2, 1))).toEqual(thrice(['slower', undefined]));
  });

  test('a difference of 3 % is none, however sure', () => {
    const draws = drawsOf(4);
    const before = inRounds(draws, 1, 1, 10, 0.001);
    const { rows } = compareWithBaseline(inRounds(draws, 1.03, 1, 10, 0.001), before);
    expect(rows[0]?.verdict).toBe('no-difference');
    expect(rows[0]?.intervalPercent?.[0]).toBeGreaterThan(2);
    expect(rows[0]?.smallestPercent).toBe(5);
  });
});

describe('with two runs alone', () => {
  const seconds = 60;

  test('a service slower by a fifth is slower, the same is not', () => {
    const draws = drawsOf(8);
    const drift = { spread: 0.05, stays: 0.3 };
    const before = answersOf(draws, { seconds, drift });
    const slower = ofAnswers(before, answersOf(draws, { seconds, drift, slower: 1.2 }));
    expect(verdicts(slower)).toEqual(['slower', 'slower', 'slower']);
    expect(slower.rows[1]).toMatchObject({ figure: 'absolute', method: 'batches' });
    expect(slower.rows[0]?.intervalPercent?.[0]).toBeLessThan(20);
    expect(slower.rows[0]?.intervalPercent?.[1]).toBeGreaterThan(20);
    expect(verdicts(ofAnswers(before, answersOf(draws, { seconds, drift })))).toEqual([
      'no-difference',
      'no-difference',
      'no-difference',
    ]);
  });

  test('seconds that are slow together make the interval wider', () => {
    const draws = drawsOf(6);
    const width = (drift: { spread: number; stays: number }): number => {
      const answers = answersOf(draws, { seconds, drift });
      const found = quantileInterval(countedOf(answers), momentsOf(answers), 'p50', 0.95);
      return (found?.greatest ?? NaN) - (found?.least ?? NaN);
    };
    const independent = width({ spread: 0, stays: 0 });
    expect(width({ spread: 0.2, stays: 0 })).toBeGreaterThan(3 * independent);
    // 6,000 independent requests: 2 × 1.96 × 1.2533 × 0.3 ÷ √6000 is 0.019.
    expect(independent).toBeGreaterThan(0.019);
    expect(independent).toBeLessThan(0.04);
  });

  test('runs of a few seconds give no interval', () => {
    const draws = drawsOf(7);
    const short = (): Seconds => answersOf(draws, { seconds: 5 });
    expect(ofAnswers(short(), short()).rows).toMatchObject([
      { verdict: 'unknown' },
      { verdict: 'unknown' },
      { verdict: 'unknown' },
    ]);
  });
});

test.each([
  { record: 'of this version', nothing: { count: 0 } },
  { record: 'of an earlier version', nothing: { ...latencyOf(0), count: 0 } },
])('a baseline $record of which nothing was served has no figures', ({ nothing }) => {
  const load = servedLoad([[20, 20, 20]]);
  const silent = nightOf(1, { ...load, whole: { ...load.whole, latency: nothing } });
  const read = readNight(runOf(silent), silent.run);
  expect(read.kind).toBe('night');
  const { rows } = compareWithBaseline(nightOf(2, load), silent);
  expect(rows[0]).toMatchObject({ verdict: 'unknown', runMs: 20 });
  expect(rows[0]).not.toHaveProperty('baselineMs');
});

test('a record of answers without their latencies is none of a load', () => {
  const load = loadOf(20);
  const night = nightOf(1, { ...load, whole: { ...load.whole, latency: { count: 5 } } });
  expect(readNight(runOf(night), night.run)).toMatchObject({
    kind: 'unreadable',
    reason: expect.stringContaining('p50Ms') as string,
  });
});

test('runs that cannot be compared are refused with the reason', () => {
  const run = nightOf(2, loadOf(20, { invalid: ['it lagged'] }));
  const baseline = nightOf(1, loadOf(20, { scenario: 'spike' }));
  const { refused, rows } = compareWithBaseline(run, baseline);
  expect(refused).toEqual([
    'This run cannot be compared: its figures do not count: it lagged.',
    'The baseline cannot be compared: its scenario was spike, not average.',
  ]);
  expect(rows).toEqual([]);
});
