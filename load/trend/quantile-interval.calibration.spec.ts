import { expect, test } from 'vitest';
import { drawsOf } from './nights.testkit.ts';
import { compareWithBaseline } from './compare-baseline.ts';
import { nightOf } from './run-of.testkit.ts';
import { quantileInterval } from './quantile-interval.ts';
import { answersOf, countedOf, momentsOf, servedLoad, type Service } from './served-run.testkit.ts';

const RUNS = 200;
const worlds: Record<string, Omit<Service, 'seconds'>> = {
  'independent requests': {},
  'seconds that scatter by 15 %': { drift: { spread: 0.15, stays: 0 } },
  'seconds that follow each other': { drift: { spread: 0.1, stays: 0.8 } },
  'a stall of half a second now and then': { stall: { everySeconds: 10, ms: 500 } },
};

test.each(Object.entries(worlds))(
  'two runs of the same service differ in 1 of 20 pairs at most: %s',
  (name, world) => {
    const draws = drawsOf(32);
    const alarms = { slower: 0, faster: 0, 'no-difference': 0, unknown: 0 };
    let [wrong, found] = [0, 0];
    for (let run = 0; run < RUNS; run += 1) {
      const [first, second, third] = [1, 1, 1.2].map((slower, at) =>
        nightOf(at, servedLoad(answersOf(draws, { ...world, seconds: 120, slower }))),
      );
      if (first === undefined || second === undefined || third === undefined)
        throw new Error('no runs');
      const { rows } = compareWithBaseline(second, first);
      for (const { verdict } of rows) alarms[verdict] += 1;
      if (rows.some(({ verdict }) => verdict === 'slower' || verdict === 'faster')) wrong += 1;
      if (compareWithBaseline(third, first).rows.some(({ verdict }) => verdict === 'slower'))
        found += 1;
    }
    console.log(
      `${name}: held, ${wrong} of ${RUNS} wrong; 20 % slower found in ${found}; ${JSON.stringify(alarms)}`,
    );
    expect(wrong / RUNS).toBeLessThanOrEqual(0.06);
    expect(found / RUNS).toBeGreaterThanOrEqual(0.9);
  },
);

test.each(Object.entries(worlds))(
  'intervals of 95 percent hold what is true: %s',
  (name, world) => {
    const draws = drawsOf(31);
    const truth = countedOf(answersOf(draws, { ...world, seconds: 8000 }));
    for (const [percentile, share] of [
      ['p50', 0.5],
      ['p95', 0.95],
      ['p99', 0.99],
    ] as const) {
      let [held, runs, widths] = [0, 0, 0];
      const value = Math.log(truth.quantileMs(share));
      for (let run = 0; run < RUNS; run += 1) {
        const seconds = answersOf(draws, { ...world, seconds: 120 });
        const found = quantileInterval(countedOf(seconds), momentsOf(seconds), percentile, 0.95);
        if (found === undefined) continue;
        runs += 1;
        widths += found.greatest - found.least;
        if (found.least <= value && value <= found.greatest) held += 1;
      }
      console.log(
        `${name} ${percentile}: ${held} of ${runs} held, mean width ${(widths / runs).toFixed(3)}`,
      );
      expect(held / runs).toBeGreaterThanOrEqual(name.startsWith('independent') ? 0.93 : 0.75);
    }
  },
);
