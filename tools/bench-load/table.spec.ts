import { expect, test } from 'vitest';
import {
  benchTable,
  type BenchLine,
  cpuMicros,
  GOALS_AT_MOST,
  GOALS_AT_RATE,
  JUDGED,
  K6_CHECKS,
  UNJUDGED,
} from './table.ts';

function line(name: string, ...micros: number[]): BenchLine {
  const rounds = micros.map((one) => ({
    requests: 1_000,
    seconds: 0.5,
    cpuSeconds: one / 1_000,
    megabytes: 150,
  }));
  return { name, rounds };
}

test('rounds come to their median', () => {
  expect(cpuMicros(line('a', 10, 99, 20))).toBeCloseTo(20);
  expect(cpuMicros(line('a', 10, 20))).toBeCloseTo(15);
});

test('the judged open loop is held against the others', () => {
  const lines = [line(JUDGED, 50), line('autocannon', 20), line(K6_CHECKS, 200)];
  const table = benchTable(lines, GOALS_AT_MOST);
  expect(table).toMatch(/every response judged +2000 +50\.0 +150\n/);
  expect(table).toContain(`${JUDGED}, times autocannon: 2.50 (goal: at most 2; not met)`);
  expect(table).toContain(`${JUDGED}, times ${K6_CHECKS}: 0.25 (goal: at most 0.4; met)`);
});

test('at one rate the open loop is held against microseconds', () => {
  const table = benchTable([line(JUDGED, 199), line(UNJUDGED, 80.4)], GOALS_AT_RATE);
  expect(table).toContain(`${JUDGED}, µs: 199.0 (goal: at most 200; met)`);
  expect(table).toContain(`${UNJUDGED}, µs: 80.4 (goal: at most 80; not met)`);
});

test('nothing is said of what was left out', () => {
  expect(benchTable([line(JUDGED, 50)], GOALS_AT_MOST)).not.toContain('goal');
});
