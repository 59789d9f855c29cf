import { expect, test } from 'vitest';
import { benchTable, cpuMicros, JUDGED, type BenchLine } from './table.ts';

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
  const table = benchTable([
    line(JUDGED, 50),
    line('autocannon', 20),
    line('k6, JSON and two checks', 200),
  ]);
  expect(table).toMatch(/every response judged +2000 +50\.0 +150\n/);
  expect(table).toContain('judged, times autocannon: 2.50 (goal: at most 2; not met)');
  expect(table).toContain('judged, times k6, JSON and two checks: 0.25 (goal: at most 0.4; met)');
});

test('nothing is said of what was left out', () => {
  expect(benchTable([line(JUDGED, 50)])).not.toContain('goal');
});
